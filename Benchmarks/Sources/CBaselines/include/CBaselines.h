// The least that C does for the same work, measured beside Belay in the same process.
#ifndef CBASELINES_H
#define CBASELINES_H

#include <stddef.h>
#include <stdint.h>

// Calls a function with the shape of a heartbeat's tick `count` times with nothing due: time that
// does not go back, a state, a comparison. Returns how many were due.
uint64_t baseline_ticks(uint64_t count, int64_t deadline);

// Scans an event stream for lines with memchr and copies the values of its data fields. Ends of
// lines are LF or CRLF; nothing is validated. Unfinished lines are kept between chunks.
struct baseline_scanner {
    uint8_t *line, *data;
    size_t line_count, line_capacity, data_count, data_capacity;
    uint64_t events, data_bytes;
};
void baseline_scan(struct baseline_scanner *scanner, const uint8_t *bytes, size_t count);
void baseline_scanner_free(struct baseline_scanner *scanner);

// What baseline_echo returns for a frame that it does not know.
#define BASELINE_BAD_FRAME SIZE_MAX

// Takes every whole masked data frame from `input`, takes its mask off, and writes it to `output`
// as a server sends it; `output` has room for `count` bytes. Returns the bytes taken.
size_t baseline_echo(const uint8_t *input, size_t count, uint8_t *output, size_t *written);

// Takes a mask off `count` bytes in place, `repeats` times: in words, or kept to single bytes.
void baseline_unmask(uint8_t *bytes, size_t count, size_t repeats);
void baseline_unmask_bytewise(uint8_t *bytes, size_t count, size_t repeats);

// Finds every LF with memchr. Returns how many there are.
size_t baseline_lines(const uint8_t *bytes, size_t count);

// Bytes that this process has allocated and not freed; 0 where the system does not tell.
size_t baseline_heap_bytes(void);

#endif
