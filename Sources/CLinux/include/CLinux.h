// What Glibc's Swift module lacks of Linux: epoll, eventfd, accept4. Thin calls that return what
// the system returns, with errno left as it was set. Empty on other systems.
//
// _GNU_SOURCE, which accept4 asks for, is defined in CLinux.c only: in a header it would change
// what every importer sees of Glibc.
#ifndef CLINUX_H
#define CLINUX_H

#if defined(__linux__)
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
#endif

#endif
