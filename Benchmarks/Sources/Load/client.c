#if defined(__linux__)
#define _GNU_SOURCE
#include "client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "process.h"

// A source address has some 28,000 ports; this leaves most of them to others.
#define CLIENTS_PER_ADDRESS 10000

// The key of RFC 6455 §1.3, and the answer to it.
static const char request[] =
    "GET %s HTTP/1.1\r\n"
    "Host: 127.0.0.1:%u\r\n"
    "Upgrade: websocket\r\n"
    "Connection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    "Sec-WebSocket-Version: 13\r\n\r\n";
static const char accept_key[] = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

struct traffic traffic_make(size_t payload_bytes, size_t copies) {
    static const uint8_t key[4] = {0x37, 0xFA, 0x21, 0x3D};
    size_t header = payload_bytes < 126 ? 2 : 4;
    struct traffic traffic = {
        .frame_bytes = header + 4 + payload_bytes,
        .echo_bytes = header + payload_bytes,
        .copies = copies,
    };
    traffic.frames = malloc(traffic.frame_bytes * copies);
    traffic.echo = malloc(traffic.echo_bytes);
    if (!traffic.frames || !traffic.echo) fail("no memory");
    uint8_t *frame = traffic.frames, *echo = traffic.echo;
    echo[0] = 0x82;
    echo[1] = (uint8_t)(payload_bytes < 126 ? payload_bytes : 126);
    if (header == 4) {
        echo[2] = (uint8_t)(payload_bytes >> 8);
        echo[3] = (uint8_t)payload_bytes;
    }
    memcpy(frame, echo, header);
    frame[1] |= 0x80;
    memcpy(frame + header, key, 4);
    for (size_t i = 0; i < payload_bytes; i++) {
        echo[header + i] = (uint8_t)(i * 31 + 7);
        frame[header + 4 + i] = echo[header + i] ^ key[i & 3];
    }
    for (size_t i = 1; i < copies; i++) {
        memcpy(frame + i * traffic.frame_bytes, frame, traffic.frame_bytes);
    }
    return traffic;
}

static void shake_hands(int descriptor, uint16_t port, const char *path) {
    char text[1024];
    int length = snprintf(text, sizeof text, request, path, (unsigned)port);
    if (send(descriptor, text, (size_t)length, MSG_NOSIGNAL) != length) fail("cannot send");
    size_t count = 0;
    // Byte by byte, so that nothing behind the head is taken.
    while (count < sizeof text - 1) {
        ssize_t received = recv(descriptor, text + count, 1, 0);
        if (received == 0) errno = 0;
        if (received != 1) fail("no answer to the opening handshake");
        text[++count] = 0;
        if (count >= 4 && memcmp(text + count - 4, "\r\n\r\n", 4) == 0) break;
    }
    errno = 0;
    if (strncmp(text, "HTTP/1.1 101 ", 13) != 0 || !strstr(text, accept_key)) {
        fail("the opening handshake was refused");
    }
}

void client_open(struct client *client, uint16_t port, const char *path, size_t number) {
    int one = 1, descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) fail("no socket");
    struct sockaddr_in source = {.sin_family = AF_INET}, target = {.sin_family = AF_INET};
    source.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1 + (uint32_t)(number / CLIENTS_PER_ADDRESS));
    target.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    target.sin_port = htons(port);
    struct timeval patience = {.tv_sec = 10};
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(descriptor, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one);
    if (bind(descriptor, (struct sockaddr *)&source, sizeof source) != 0 ||
        connect(descriptor, (struct sockaddr *)&target, sizeof target) != 0) {
        fail("cannot connect");
    }
    shake_hands(descriptor, port, path);
    if (fcntl(descriptor, F_SETFL, O_NONBLOCK) != 0) fail("no non-blocking socket");
    *client = (struct client){.descriptor = descriptor};
}

void client_send(struct client *client, const struct traffic *traffic, size_t count) {
    client->unsent += count * traffic->frame_bytes;
    while (client->unsent > 0) {
        size_t room = traffic->copies * traffic->frame_bytes - client->frame_place;
        size_t wanted = client->unsent < room ? client->unsent : room;
        ssize_t sent = send(client->descriptor, traffic->frames + client->frame_place, wanted,
                            MSG_NOSIGNAL);
        if (sent < 0 && errno == EAGAIN) break;
        if (sent < 0) fail("the server ended a connection");
        client->unsent -= (size_t)sent;
        client->frame_place = (client->frame_place + (size_t)sent) % traffic->frame_bytes;
    }
    client->is_blocked = client->unsent > 0;
}

size_t client_receive(struct client *client, const struct traffic *traffic) {
    static uint8_t scratch[256 * 1024];
    ssize_t received = recv(client->descriptor, scratch, sizeof scratch, 0);
    if (received < 0 && errno == EAGAIN) return 0;
    if (received == 0) errno = 0;
    if (received <= 0) fail("the server ended a connection");
    size_t completed = 0;
    for (size_t place = 0; place < (size_t)received;) {
        size_t left = (size_t)received - place, room = traffic->echo_bytes - client->echoed;
        size_t count = left < room ? left : room;
        errno = 0;
        if (memcmp(scratch + place, traffic->echo + client->echoed, count) != 0) {
            fail("the echo is not what was sent");
        }
        place += count;
        client->echoed += count;
        if (client->echoed == traffic->echo_bytes) {
            client->echoed = 0;
            completed++;
        }
    }
    return completed;
}

void client_reset(struct client *client) {
    struct linger now = {.l_onoff = 1, .l_linger = 0};
    setsockopt(client->descriptor, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(client->descriptor);
}
#endif
