#include "CBaselines.h"

#include <stdlib.h>
#include <string.h>

static void append(uint8_t **buffer, size_t *count, size_t *capacity, const uint8_t *bytes,
                   size_t more) {
    if (*count + more > *capacity) {
        size_t wanted = (*count + more) * 2;
        uint8_t *grown = realloc(*buffer, wanted);
        if (!grown) abort();
        *buffer = grown;
        *capacity = wanted;
    }
    memcpy(*buffer + *count, bytes, more);
    *count += more;
}

static void interpret(struct baseline_scanner *scanner, const uint8_t *line, size_t count) {
    if (count > 0 && line[count - 1] == '\r') count--;
    if (count == 0) {
        if (scanner->data_count > 0) {
            scanner->events++;
            scanner->data_bytes += scanner->data_count;
            scanner->data_count = 0;
        }
        return;
    }
    if (count < 6 || memcmp(line, "data: ", 6) != 0) return;
    append(&scanner->data, &scanner->data_count, &scanner->data_capacity, line + 6, count - 6);
}

void baseline_scan(struct baseline_scanner *scanner, const uint8_t *bytes, size_t count) {
    const uint8_t *end = bytes + count;
    while (bytes < end) {
        const uint8_t *line_end = memchr(bytes, '\n', (size_t)(end - bytes));
        size_t length = (size_t)((line_end ? line_end : end) - bytes);
        if (!line_end || scanner->line_count > 0) {
            append(&scanner->line, &scanner->line_count, &scanner->line_capacity, bytes, length);
        }
        if (!line_end) return;
        if (scanner->line_count > 0) {
            interpret(scanner, scanner->line, scanner->line_count);
            scanner->line_count = 0;
        } else {
            interpret(scanner, bytes, length);
        }
        bytes = line_end + 1;
    }
}

void baseline_scanner_free(struct baseline_scanner *scanner) {
    free(scanner->line);
    free(scanner->data);
}

size_t baseline_lines(const uint8_t *bytes, size_t count) {
    const uint8_t *end = bytes + count;
    size_t lines = 0;
    while (bytes < end && (bytes = memchr(bytes, '\n', (size_t)(end - bytes)))) {
        bytes++;
        lines++;
    }
    return lines;
}
