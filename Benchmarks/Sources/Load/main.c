// Loads one WebSocket echo server on 127.0.0.1 and prints what that cost the server's process.
//
//   bench-load echo PORT PID PATH CONNECTIONS PAYLOAD_BYTES OUTSTANDING MESSAGES SECONDS
//       prints `messages N cpu_ns N wall_ns N`, taken after a warm-up
//   bench-load idle PORT PID PATH CONNECTIONS
//       prints `connections N resident_bytes N`: what they added to the server's memory
//   bench-load soak PORT PID PATH CONNECTIONS SECONDS INTERVAL_MILLISECONDS
//       keeps them open, each with a ping an interval; prints `connections N seconds N pings N
//       pongs N late N missing N lost N worst_ns N cpu_ns N resident_bytes N process_bytes N`: what
//       they added to the server's memory, and all of it; see soak.h
//
// It ends by itself, after MESSAGES or SECONDS, whichever comes first.
#include <stdio.h>

#if defined(__linux__)
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "client.h"
#include "process.h"
#include "soak.h"

// Echoes before the measured ones: for compilers of the peers, caches and windows of TCP.
#define WARM_UP_PART 5
// Connections before the measured ones, so that code and pools of the server are there.
#define WARM_UP_CLIENTS 200
// A server that says nothing for so long has failed.
#define PATIENCE_MILLISECONDS 10000

struct load {
    uint16_t port;
    pid_t server;
    const char *path;
    size_t count;
    struct client *clients;
};

static uint64_t number(const char *text, uint64_t most) {
    char *end;
    uint64_t value = strtoull(text, &end, 10);
    errno = 0;
    if (*text == 0 || *end != 0 || value < 1 || value > most) fail("an argument is no number");
    return value;
}

static void open_clients(struct load *load, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        client_open(&load->clients[i], load->port, load->path, i);
    }
}

static void reset_clients(struct load *load) {
    for (size_t i = 0; i < load->count; i++) client_reset(&load->clients[i]);
}

static void watch(int loop, int change, struct client *client) {
    uint32_t events = EPOLLIN | (client->is_blocked ? (uint32_t)EPOLLOUT : 0);
    struct epoll_event event = {.events = events, .data.ptr = client};
    if (epoll_ctl(loop, change, client->descriptor, &event) != 0) fail("cannot watch a socket");
}

// Serves one client that is ready. Returns the echoes that came.
static size_t serve(int loop, struct client *client, const struct traffic *traffic,
                    uint32_t events) {
    size_t echoes = events & ~(uint32_t)EPOLLOUT ? client_receive(client, traffic) : 0;
    uint8_t was_blocked = client->is_blocked;
    if (echoes > 0 || was_blocked) client_send(client, traffic, echoes);
    if (client->is_blocked != was_blocked) watch(loop, EPOLL_CTL_MOD, client);
    return echoes;
}

// Runs until `messages` echoes came or `deadline` passed. Returns the echoes.
static uint64_t run(int loop, const struct traffic *traffic, uint64_t messages,
                    uint64_t deadline) {
    struct epoll_event events[256];
    uint64_t echoes = 0;
    while (echoes < messages && monotonic_nanoseconds() < deadline) {
        int count = epoll_wait(loop, events, 256, PATIENCE_MILLISECONDS);
        if (count < 0 && errno == EINTR) continue;
        errno = 0;
        if (count <= 0) fail("the server has fallen silent");
        for (int i = 0; i < count; i++) {
            echoes += serve(loop, events[i].data.ptr, traffic, events[i].events);
        }
    }
    return echoes;
}

static void measure_echo(struct load *load, char **arguments) {
    size_t payload_bytes = number(arguments[0], 65535), outstanding = number(arguments[1], 1024);
    uint64_t messages = number(arguments[2], 1000000000);
    uint64_t seconds = number(arguments[3], 600);
    struct traffic traffic = traffic_make(payload_bytes, outstanding);
    int loop = epoll_create1(EPOLL_CLOEXEC);
    open_clients(load, 0, load->count);
    for (size_t i = 0; i < load->count; i++) {
        client_send(&load->clients[i], &traffic, outstanding);
        watch(loop, EPOLL_CTL_ADD, &load->clients[i]);
    }
    uint64_t limit = seconds * 1000000000;
    run(loop, &traffic, messages / WARM_UP_PART, monotonic_nanoseconds() + limit);
    uint64_t start = monotonic_nanoseconds(), cpu = process_cpu_nanoseconds(load->server);
    uint64_t echoes = run(loop, &traffic, messages, start + limit);
    cpu = process_cpu_nanoseconds(load->server) - cpu;
    uint64_t wall = monotonic_nanoseconds() - start;
    printf("messages %" PRIu64 " cpu_ns %" PRIu64 " wall_ns %" PRIu64 "\n", echoes, cpu, wall);
}

static void measure_idle(struct load *load) {
    struct timespec settling = {.tv_sec = 1};
    open_clients(load, 0, WARM_UP_CLIENTS);
    nanosleep(&settling, NULL);
    uint64_t before = process_resident_bytes(load->server);
    open_clients(load, WARM_UP_CLIENTS, load->count);
    nanosleep(&settling, NULL);
    uint64_t after = process_resident_bytes(load->server);
    printf("connections %zu resident_bytes %" PRIu64 "\n", load->count - WARM_UP_CLIENTS,
           after > before ? after - before : 0);
}

static void measure_soak(struct load *load, char **arguments) {
    uint64_t seconds = number(arguments[0], 86400), interval = number(arguments[1], 3600000);
    open_clients(load, 0, WARM_UP_CLIENTS);
    uint64_t before = process_resident_bytes(load->server);
    open_clients(load, WARM_UP_CLIENTS, load->count);
    uint64_t cpu = process_cpu_nanoseconds(load->server);
    struct soak_result result =
        soak_run(load->clients, load->count, seconds * 1000000000, interval * 1000000);
    cpu = process_cpu_nanoseconds(load->server) - cpu;
    uint64_t after = process_resident_bytes(load->server);
    printf("connections %zu seconds %" PRIu64 " pings %" PRIu64 " pongs %" PRIu64 " late %" PRIu64
           " missing %" PRIu64 " lost %" PRIu64 " worst_ns %" PRIu64 " cpu_ns %" PRIu64
           " resident_bytes %" PRIu64 " process_bytes %" PRIu64 "\n",
           load->count, seconds, result.pings, result.pongs, result.late, result.missing,
           result.lost, result.worst_nanoseconds, cpu,
           (after > before ? after - before : 0) * load->count / (load->count - WARM_UP_CLIENTS),
           after);
}

int main(int count, char **arguments) {
    int is_echo = count == 10 && strcmp(arguments[1], "echo") == 0;
    int is_idle = count == 6 && strcmp(arguments[1], "idle") == 0;
    int is_soak = count == 8 && strcmp(arguments[1], "soak") == 0;
    if (!is_echo && !is_idle && !is_soak) {
        fputs("error: bench-load: see the head of its main.c for what it takes\n", stderr);
        return 2;
    }
    struct load load = {
        .port = (uint16_t)number(arguments[2], 65535),
        .server = (pid_t)number(arguments[3], INT32_MAX),
        .path = arguments[4],
        .count = number(arguments[5], 1000000) + (is_idle ? WARM_UP_CLIENTS : 0),
    };
    if (is_soak && load.count <= WARM_UP_CLIENTS) fail("too few connections for a soak");
    load.clients = calloc(load.count, sizeof *load.clients);
    if (!load.clients) fail("no memory");
    if (is_echo) {
        measure_echo(&load, arguments + 6);
    } else if (is_idle) {
        measure_idle(&load);
    } else {
        measure_soak(&load, arguments + 6);
    }
    reset_clients(&load);
    return 0;
}
#else
int main(void) {
    fputs("error: bench-load needs epoll, and so Linux\n", stderr);
    return 2;
}
#endif
