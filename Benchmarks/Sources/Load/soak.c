#if defined(__linux__)
#define _GNU_SOURCE
#include "soak.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "process.h"

#define LATE_NANOSECONDS 1000000000ull
#define LAST_WAIT_NANOSECONDS 10000000000ull
// A pong from a server: two bytes of header, and the ping's number.
#define PONG_BYTES 6

// The heartbeat of one client.
struct beat {
    uint64_t sent_at;
    uint32_t number;
    uint8_t is_answered, is_lost;
    // What has come of the next pong.
    uint8_t pong_count, pong[PONG_BYTES];
};

static void put_number(uint8_t *bytes, uint32_t number) {
    for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(number >> (24 - 8 * i));
}

static void lose(struct client *client, struct beat *beat, struct soak_result *result) {
    beat->is_lost = 1;
    result->lost++;
    // The socket stays in the table of clients, which resets all of them at the end.
    shutdown(client->descriptor, SHUT_RDWR);
}

static void send_ping(struct client *client, struct beat *beat, struct soak_result *result) {
    static const uint8_t key[4] = {0x37, 0xFA, 0x21, 0x3D};
    uint8_t frame[10] = {0x89, 0x84};
    if (beat->is_lost) return;
    if (!beat->is_answered) result->missing++;
    beat->number++;
    beat->is_answered = 0;
    memcpy(frame + 2, key, 4);
    put_number(frame + 6, beat->number);
    for (int i = 0; i < 4; i++) frame[6 + i] ^= key[i];
    beat->sent_at = monotonic_nanoseconds();
    if (send(client->descriptor, frame, sizeof frame, MSG_NOSIGNAL) != sizeof frame) {
        return lose(client, beat, result);
    }
    result->pings++;
}

static void take_pong(struct beat *beat, struct soak_result *result) {
    uint8_t expected[PONG_BYTES] = {0x8A, 0x04};
    put_number(expected + 2, beat->number);
    errno = 0;
    if (memcmp(beat->pong, expected, 2) != 0) fail("the server sent something else than a pong");
    // The pong of a ping that was given up counts as missing already.
    if (memcmp(beat->pong, expected, PONG_BYTES) != 0) return;
    if (beat->is_answered) fail("a pong came twice");
    uint64_t took = monotonic_nanoseconds() - beat->sent_at;
    beat->is_answered = 1;
    result->pongs++;
    if (took > LATE_NANOSECONDS) result->late++;
    if (took > result->worst_nanoseconds) result->worst_nanoseconds = took;
}

static void receive(int loop, struct client *client, struct beat *beat,
                    struct soak_result *result) {
    uint8_t bytes[64];
    ssize_t count = recv(client->descriptor, bytes, sizeof bytes, 0);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) {
        epoll_ctl(loop, EPOLL_CTL_DEL, client->descriptor, NULL);
        if (!beat->is_lost) lose(client, beat, result);
        return;
    }
    for (ssize_t i = 0; i < count; i++) {
        beat->pong[beat->pong_count++] = bytes[i];
        if (beat->pong_count < PONG_BYTES) continue;
        beat->pong_count = 0;
        take_pong(beat, result);
    }
}

static int milliseconds_until(uint64_t moment, uint64_t now) {
    return moment <= now ? 0 : (int)((moment - now) / 1000000) + 1;
}

struct soak_result soak_run(struct client *clients, size_t count, uint64_t nanoseconds,
                            uint64_t interval_nanoseconds) {
    struct soak_result result = {0};
    struct beat *beats = calloc(count, sizeof *beats);
    if (!beats) fail("no memory");
    int loop = epoll_create1(EPOLL_CLOEXEC);
    for (size_t i = 0; i < count; i++) {
        beats[i].is_answered = 1;
        struct epoll_event event = {.events = EPOLLIN, .data.u64 = i};
        if (epoll_ctl(loop, EPOLL_CTL_ADD, clients[i].descriptor, &event) != 0) {
            fail("cannot watch a socket");
        }
    }
    // Ping p of all leaves at start + p * step, from client p modulo count.
    uint64_t step = interval_nanoseconds / count, start = monotonic_nanoseconds(), due = start;
    uint64_t last = start + nanoseconds, end = last + LAST_WAIT_NANOSECONDS;
    size_t turn = 0;
    struct epoll_event events[256];
    for (uint64_t now = start; now < end; now = monotonic_nanoseconds()) {
        for (; due <= now && due < last; due += step, turn = (turn + 1) % count) {
            send_ping(&clients[turn], &beats[turn], &result);
        }
        if (due >= last && result.pongs + result.missing + result.lost >= result.pings) break;
        int ready = epoll_wait(loop, events, 256, milliseconds_until(due < last ? due : end, now));
        for (int i = 0; i < ready; i++) {
            receive(loop, &clients[events[i].data.u64], &beats[events[i].data.u64], &result);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!beats[i].is_answered && !beats[i].is_lost) result.missing++;
    }
    free(beats);
    close(loop);
    return result;
}
#endif
