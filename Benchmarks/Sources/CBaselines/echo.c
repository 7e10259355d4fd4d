#include "CBaselines.h"

#include <string.h>

// Eight bytes at a time; compilers make vectors of it.
static void unmask(const uint8_t *from, size_t count, const uint8_t key[4], uint8_t *to) {
    uint64_t word, twice;
    memcpy(&twice, key, 4);
    memcpy((uint8_t *)&twice + 4, key, 4);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        memcpy(&word, from + i, 8);
        word ^= twice;
        memcpy(to + i, &word, 8);
    }
    for (; i < count; i++) to[i] = from[i] ^ key[i & 3];
}

size_t baseline_echo(const uint8_t *input, size_t count, uint8_t *output, size_t *written) {
    size_t taken = 0, out = 0;
    while (count - taken >= 2) {
        const uint8_t *frame = input + taken;
        if ((frame[0] != 0x81 && frame[0] != 0x82) || !(frame[1] & 0x80)) return BASELINE_BAD_FRAME;
        size_t length = frame[1] & 0x7F;
        size_t header = length == 126 ? 4 : 2;
        if (length == 127) return BASELINE_BAD_FRAME;
        if (count - taken < header + 4) break;
        if (length == 126) length = (size_t)frame[2] << 8 | frame[3];
        if (count - taken < header + 4 + length) break;
        memcpy(output + out, frame, header);
        output[out + 1] &= 0x7F;
        unmask(frame + header + 4, length, frame + header, output + out + header);
        out += header + length;
        taken += header + 4 + length;
    }
    *written = out;
    return taken;
}

static const uint8_t mask[4] = {0xFA, 0x21, 0x3D, 0x9A};

void baseline_unmask(uint8_t *bytes, size_t count, size_t repeats) {
    for (size_t i = 0; i < repeats; i++) {
        unmask(bytes, count, mask, bytes);
        // Or two rounds would be seen to undo each other.
        __asm__ volatile("" : : "r"(bytes) : "memory");
    }
}

void baseline_unmask_bytewise(uint8_t *bytes, size_t count, size_t repeats) {
    for (size_t i = 0; i < repeats; i++) {
        for (size_t j = 0; j < count; j++) {
            bytes[j] ^= mask[j & 3];
            __asm__ volatile("" : : "r"(bytes) : "memory");
        }
    }
}
