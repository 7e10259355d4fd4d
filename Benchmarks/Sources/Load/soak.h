// Many connections that only prove, ping by ping, that they are there.
#ifndef SOAK_H
#define SOAK_H

#include <stddef.h>
#include <stdint.h>

#include "client.h"

// What became of them.
struct soak_result {
    uint64_t pings, pongs;
    // Pongs that came more than a second after their ping.
    uint64_t late;
    // Pings that had no pong when the next one of their connection left, or at the end.
    uint64_t missing;
    // Connections that the server ended.
    uint64_t lost;
    uint64_t worst_nanoseconds;
};

// Has each client ping once an interval, spread evenly over it, for so long; then waits for the
// pongs under way. A pong that answers no ping ends the program.
struct soak_result soak_run(struct client *clients, size_t count, uint64_t nanoseconds,
                            uint64_t interval_nanoseconds);

#endif
