#if defined(__linux__)
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <linux/netlink.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

int clinux_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int clinux_epoll_change(int epoll, enum clinux_epoll_change change, int descriptor,
                        uint64_t token, uint8_t readable, uint8_t writable) {
    static const int operations[] = {EPOLL_CTL_ADD, EPOLL_CTL_MOD, EPOLL_CTL_DEL};
    struct epoll_event event = {.data.u64 = token};
    if (readable) event.events |= EPOLLIN;
    if (writable) event.events |= EPOLLOUT;
    return epoll_ctl(epoll, operations[change], descriptor, &event);
}

int clinux_epoll_wait(int epoll, struct clinux_epoll_event *events, int timeout_milliseconds) {
    struct epoll_event raw[CLINUX_EPOLL_BATCH];
    int count = epoll_wait(epoll, raw, CLINUX_EPOLL_BATCH, timeout_milliseconds);
    for (int i = 0; i < count; i++) {
        events[i].token = raw[i].data.u64;
        events[i].readable = (raw[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0;
        events[i].writable = (raw[i].events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) != 0;
    }
    return count;
}

int clinux_bell_create(int epoll, uint64_t token) {
    int bell = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (bell < 0) return -1;
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.u64 = token};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, bell, &event) == 0) return bell;
    int cause = errno;
    close(bell);
    errno = cause;
    return -1;
}

int clinux_bell_ring(int bell) { return eventfd_write(bell, 1); }

int clinux_accept(int listener) {
    return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int clinux_route_socket(uint32_t groups, uint32_t *port) {
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (descriptor < 0) return -1;
    struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = groups};
    socklen_t size = sizeof address;
    if (bind(descriptor, (struct sockaddr *)&address, size) == 0 &&
        getsockname(descriptor, (struct sockaddr *)&address, &size) == 0) {
        *port = address.nl_pid;
        return descriptor;
    }
    int cause = errno;
    close(descriptor);
    errno = cause;
    return -1;
}

long clinux_route_send(int descriptor, const void *bytes, size_t count) {
    struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
    return sendto(descriptor, bytes, count, 0, (struct sockaddr *)&kernel, sizeof kernel);
}

long clinux_route_receive(int descriptor, void *bytes, size_t size, uint32_t *sender) {
    struct sockaddr_nl from = {.nl_family = AF_NETLINK};
    socklen_t length = sizeof from;
    long count = recvfrom(descriptor, bytes, size, MSG_TRUNC, (struct sockaddr *)&from, &length);
    *sender = from.nl_pid;
    return count;
}
#endif
