// What the measured server's process has used, as the system counts it.
#ifndef PROCESS_H
#define PROCESS_H

#include <stdint.h>
#include <sys/types.h>

// CPU time of all its threads, in nanoseconds. Ends the program where the process has gone.
uint64_t process_cpu_nanoseconds(pid_t process);

// Resident memory in bytes.
uint64_t process_resident_bytes(pid_t process);

// Monotonic time in nanoseconds.
uint64_t monotonic_nanoseconds(void);

// Prints a cause, with the system's own words where errno is set, and ends the program.
__attribute__((noreturn)) void fail(const char *cause);

#endif
