#include "CBaselines.h"

enum phase { IDLE, RESTING, AWAITING_PONG };

struct heartbeat {
    int64_t latest, deadline;
    enum phase phase;
};

// Not inlined, as a call into another module is not.
__attribute__((noinline)) static int tick(struct heartbeat *heartbeat, int64_t now) {
    if (now < heartbeat->latest) now = heartbeat->latest;
    heartbeat->latest = now;
    switch (heartbeat->phase) {
    case RESTING:
    case AWAITING_PONG: return heartbeat->deadline != INT64_MAX && now >= heartbeat->deadline;
    case IDLE: break;
    }
    return 0;
}

uint64_t baseline_ticks(uint64_t count, int64_t deadline) {
    struct heartbeat heartbeat = {.latest = INT64_MIN, .deadline = deadline, .phase = RESTING};
    uint64_t due = 0;
    for (uint64_t i = 0; i < count; i++) due += (uint64_t)tick(&heartbeat, (int64_t)(i & 1023));
    return due;
}
