// The least that C does for the same work, measured beside Belay in the same process.
#ifndef CBASELINES_H
#define CBASELINES_H

#include <stddef.h>
#include <stdint.h>

// Calls a function with the shape of a heartbeat's tick `count` times with nothing due: time that
// does not go back, a state, a comparison. Returns how many were due.
uint64_t baseline_ticks(uint64_t count, int64_t deadline);

// Some bytes that lie elsewhere; NULL where there is no such value.
struct baseline_bytes {
    const uint8_t *bytes;
    size_t count;
};

struct baseline_buffer {
    uint8_t *bytes;
    size_t count, capacity;
};

// Parses an event stream as BelayWire lends its events: lines by memchr, the fields data, event and
// id, data of several lines joined, events reported as places in the input where they lie whole in
// it. Nothing else: lines end by LF or CRLF, no limit, no byte order mark, no retry, no comments.
struct baseline_parser {
    void (*report)(void *context, struct baseline_bytes type, struct baseline_bytes data,
                   struct baseline_bytes last_id);
    void *context;
    struct baseline_bytes type, data, id, last_id;
    struct baseline_buffer line, kept_type, kept_data, kept_id, kept_last_id;
};
void baseline_parse(struct baseline_parser *parser, const uint8_t *bytes, size_t count);
void baseline_parser_free(struct baseline_parser *parser);

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
