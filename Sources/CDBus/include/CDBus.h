// What NetworkManager says of metering, heard over D-Bus by sd-bus (libsystemd). The library is
// loaded when a bus is first opened, so that a program starts, and says "unknown", where there is
// none. Empty on other systems than Linux.
//
// No call waits for anybody, unless an address is written with a host's name, and none calls back.
// A watch belongs to one thread. Failures are negative numbers of errno.
#ifndef CDBUS_H
#define CDBUS_H

#if defined(__linux__)
#include <stdint.h>

struct cdbus_watch;

// What one step came upon.
enum cdbus_step {
    // Nothing more for now: wait for what cdbus_wishes says.
    CDBUS_IDLE,
    // Something that is of no interest.
    CDBUS_OTHER,
    // The name is cdbus_owner's, or nobody's.
    CDBUS_OWNED,
    CDBUS_UNOWNED,
    // cdbus_owner says cdbus_metered.
    CDBUS_SAID,
    // cdbus_owner says something else than a number, or refuses to say one.
    CDBUS_UNREADABLE,
    // cdbus_owner says that its last word is so no longer.
    CDBUS_WITHDRAWN,
};

enum cdbus_wishes { CDBUS_READ = 1, CDBUS_WRITE = 2 };

// Begins to connect, and asks the bus to tell of NetworkManager's owner, now and ever after, and
// of what it says of itself. NULL is the system's bus, which DBUS_SYSTEM_BUS_ADDRESS may name.
// -ELIBACC where there is no library.
int cdbus_open(const char *address, struct cdbus_watch **opened);

// 1 and a descriptor of the bus's socket, which the caller closes, if it is another socket than
// that of the last descriptor taken; 0 if it is the same. One of several addresses may be tried
// after another.
int cdbus_take_descriptor(struct cdbus_watch *watch, int *taken);

// What of the socket to wait for, of cdbus_wishes.
int cdbus_wishes(struct cdbus_watch *watch);

// Does what can be done at once, a message at most: one of cdbus_step.
int cdbus_step(struct cdbus_watch *watch);

// A unique name, until the next step.
const char *cdbus_owner(const struct cdbus_watch *watch);
uint32_t cdbus_metered(const struct cdbus_watch *watch);

// Asks this owner, by its unique name, which starts nobody; forgets the question before.
int cdbus_ask(struct cdbus_watch *watch, const char *owner);

void cdbus_close(struct cdbus_watch *watch);
#endif

#endif
