#if defined(__linux__)
#define _GNU_SOURCE
#include "process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static uint64_t nanoseconds(clockid_t clock) {
    struct timespec time;
    if (clock_gettime(clock, &time) != 0) fail("cannot read a clock");
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

uint64_t process_cpu_nanoseconds(pid_t process) {
    clockid_t clock;
    // Finer than /proc/PID/stat, which counts in hundredths of a second.
    errno = clock_getcpuclockid(process, &clock);
    if (errno != 0) fail("the server has gone");
    return nanoseconds(clock);
}

uint64_t process_resident_bytes(pid_t process) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/statm", (int)process);
    FILE *file = fopen(path, "r");
    unsigned long long pages = 0;
    if (!file || fscanf(file, "%*u %llu", &pages) != 1) fail("the server has gone");
    fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t monotonic_nanoseconds(void) {
    return nanoseconds(CLOCK_MONOTONIC);
}

void fail(const char *cause) {
    if (errno != 0) {
        fprintf(stderr, "error: bench-load: %s: %s\n", cause, strerror(errno));
    } else {
        fprintf(stderr, "error: bench-load: %s\n", cause);
    }
    exit(1);
}
#endif
