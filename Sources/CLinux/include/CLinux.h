// What Glibc's Swift module lacks of Linux: epoll, eventfd, accept4, sockaddr_nl. Thin calls that
// return what the system returns, with errno left as it was set. Empty on other systems.
//
// _GNU_SOURCE, which accept4 asks for, is defined in CLinux.c only: in a header it would change
// what every importer sees of Glibc.
#ifndef CLINUX_H
#define CLINUX_H

#if defined(__linux__)
#include <stddef.h>
#include <stdint.h>

// What one call of clinux_epoll_wait returns at most.
#define CLINUX_EPOLL_BATCH 128

// epoll_event without its packing, which differs between processors.
struct clinux_epoll_event {
    uint64_t token;
    uint8_t readable;  // or ended, or failed: reading tells which
    uint8_t writable;  // or failed: writing tells
};

enum clinux_epoll_change { CLINUX_EPOLL_ADD, CLINUX_EPOLL_MODIFY, CLINUX_EPOLL_REMOVE };

int clinux_epoll_create(void);
int clinux_epoll_change(int epoll, enum clinux_epoll_change change, int descriptor,
                        uint64_t token, uint8_t readable, uint8_t writable);
int clinux_epoll_wait(int epoll, struct clinux_epoll_event *events, int timeout_milliseconds);

// An eventfd inside this epoll, edge-triggered: ringing it wakes one wait, and nobody reads it.
int clinux_bell_create(int epoll, uint64_t token);
int clinux_bell_ring(int bell);

// accept4 with SOCK_NONBLOCK and SOCK_CLOEXEC.
int clinux_accept(int listener);

// A non-blocking socket to the kernel's links, addresses and routes (NETLINK_ROUTE) that is told
// of what happens to these groups, a bit each; 0 for none. Its number goes to `port`.
int clinux_route_socket(uint32_t groups, uint32_t *port);

// Sends to the kernel.
long clinux_route_send(int descriptor, const void *bytes, size_t count);

// Receives one datagram. `sender` is 0 for the kernel; any other may be a process of anybody's.
// The count is that of the whole datagram, also where it did not fit.
long clinux_route_receive(int descriptor, void *bytes, size_t size, uint32_t *sender);
#endif

#endif
