// The least an echo server can do: one epoll loop, one receive and one send a wake-up.
//
// Listens on a port of 127.0.0.1 that it prints, and ends when its standard input does. It answers
// every opening handshake as the one of bench-load, whose key is that of RFC 6455 §1.3.
#define _GNU_SOURCE
#include <stdio.h>

#if defined(__linux__)
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "CBaselines.h"

#define SCRATCH (256 * 1024)
#define DESCRIPTORS 65536

static const char handshake[] =
    "HTTP/1.1 101 Switching Protocols\r\n"
    "Upgrade: websocket\r\n"
    "Connection: Upgrade\r\n"
    "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

// Input that was not whole, and output that the socket did not take. Both are rare.
struct connection {
    uint8_t *input, *output;
    uint32_t input_count, output_count;
    uint8_t is_upgraded;
};

static struct connection connections[DESCRIPTORS];
static uint8_t scratch[SCRATCH * 2], replies[SCRATCH * 2];
static int loop;

static void watch(int change, int descriptor, uint32_t events) {
    struct epoll_event event = {.events = events, .data.fd = descriptor};
    if (epoll_ctl(loop, change, descriptor, &event) != 0) perror("epoll_ctl");
}

static void drop(int descriptor) {
    struct connection *connection = &connections[descriptor];
    free(connection->input);
    free(connection->output);
    *connection = (struct connection){0};
    close(descriptor);
}

static void keep(uint8_t **kept, uint32_t *kept_count, const uint8_t *bytes, size_t count) {
    uint8_t *copy = NULL;
    if (count > 0) {
        copy = malloc(count);
        if (!copy) abort();
        memcpy(copy, bytes, count);
    }
    free(*kept);
    *kept = copy;
    *kept_count = (uint32_t)count;
}

static void reply(int descriptor, const uint8_t *bytes, size_t count) {
    struct connection *connection = &connections[descriptor];
    ssize_t sent = send(descriptor, bytes, count, MSG_NOSIGNAL);
    if (sent < 0) {
        if (errno != EAGAIN) return drop(descriptor);
        sent = 0;
    }
    int was_blocked = connection->output_count > 0;
    keep(&connection->output, &connection->output_count, bytes + sent, count - (size_t)sent);
    int is_blocked = connection->output_count > 0;
    if (is_blocked != was_blocked) {
        watch(EPOLL_CTL_MOD, descriptor, is_blocked ? EPOLLOUT : EPOLLIN);
    }
}

static void receive(int descriptor) {
    struct connection *connection = &connections[descriptor];
    size_t count = connection->input_count;
    if (count > SCRATCH) return drop(descriptor);
    if (count > 0) memcpy(scratch, connection->input, count);
    ssize_t received = recv(descriptor, scratch + count, SCRATCH, 0);
    if (received < 0 && errno == EAGAIN) return;
    if (received <= 0) return drop(descriptor);
    count += (size_t)received;
    size_t taken = 0, written = 0;
    if (connection->is_upgraded) {
        taken = baseline_echo(scratch, count, replies, &written);
        if (taken == BASELINE_BAD_FRAME) return drop(descriptor);
    } else if (count >= 4 && memcmp(scratch + count - 4, "\r\n\r\n", 4) == 0) {
        connection->is_upgraded = 1;
        taken = count;
        written = sizeof handshake - 1;
        memcpy(replies, handshake, written);
    }
    if (connection->input_count > 0 || taken < count) {
        keep(&connection->input, &connection->input_count, scratch + taken, count - taken);
    }
    if (written > 0) reply(descriptor, replies, written);
}

static void accept_all(int listener) {
    int one = 1, descriptor;
    while ((descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        if (descriptor >= DESCRIPTORS) {
            close(descriptor);
            continue;
        }
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        watch(EPOLL_CTL_ADD, descriptor, EPOLLIN);
    }
}

static int listen_on_loopback(void) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(listener, 1024) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
        perror("error: cannot listen");
        exit(1);
    }
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    return listener;
}

int main(void) {
    loop = epoll_create1(EPOLL_CLOEXEC);
    int listener = listen_on_loopback();
    watch(EPOLL_CTL_ADD, listener, EPOLLIN);
    watch(EPOLL_CTL_ADD, STDIN_FILENO, EPOLLIN);
    struct epoll_event events[256];
    for (;;) {
        int count = epoll_wait(loop, events, 256, -1);
        for (int i = 0; i < count; i++) {
            int descriptor = events[i].data.fd;
            if (descriptor == STDIN_FILENO) return 0;
            if (descriptor == listener) {
                accept_all(listener);
            } else if (connections[descriptor].output_count > 0) {
                reply(descriptor, connections[descriptor].output,
                      connections[descriptor].output_count);
            } else {
                receive(descriptor);
            }
        }
    }
}
#else
int main(void) {
    fputs("error: bench-floor needs epoll, and so Linux\n", stderr);
    return 2;
}
#endif
