// One WebSocket client of the load: it sends the same frame again and again and checks each echo.
#ifndef CLIENT_H
#define CLIENT_H

#include <stddef.h>
#include <stdint.h>

// A frame as a client sends it, many times in a row, and its echo.
struct traffic {
    uint8_t *frames, *echo;
    size_t frame_bytes, echo_bytes;
    // How many copies of the frame stand in `frames`: the most that one send hands over.
    size_t copies;
};

struct client {
    int descriptor;
    // How far the echo at hand has come, in bytes.
    size_t echoed;
    // Bytes of frames that are due and not sent, and where in the first frame they begin.
    size_t unsent, frame_place;
    uint8_t is_blocked;
};

struct traffic traffic_make(size_t payload_bytes, size_t copies);

// Connects to 127.0.0.1:port and takes the opening handshake, waiting at most ten seconds.
// `number` chooses the source address, so that there are ports for all.
void client_open(struct client *client, uint16_t port, const char *path, size_t number);

// Adds `count` frames to what is due and sends what the socket takes.
void client_send(struct client *client, const struct traffic *traffic, size_t count);

// Takes what has come. Returns how many echoes it completed.
size_t client_receive(struct client *client, const struct traffic *traffic);

// Ends the connection with RST, so that no port waits.
void client_reset(struct client *client);

#endif
