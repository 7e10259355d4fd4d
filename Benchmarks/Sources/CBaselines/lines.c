#include "CBaselines.h"

#include <string.h>

size_t baseline_lines(const uint8_t *bytes, size_t count) {
    const uint8_t *end = bytes + count;
    size_t lines = 0;
    while (bytes < end && (bytes = memchr(bytes, '\n', (size_t)(end - bytes)))) {
        bytes++;
        lines++;
    }
    return lines;
}
