#include "CBaselines.h"

#include <stdlib.h>
#include <string.h>

static void append(struct baseline_buffer *buffer, const void *bytes, size_t count) {
    if (buffer->count + count > buffer->capacity) {
        buffer->capacity = (buffer->count + count) * 2;
        buffer->bytes = realloc(buffer->bytes, buffer->capacity);
        if (!buffer->bytes) abort();
    }
    memcpy(buffer->bytes + buffer->count, bytes, count);
    buffer->count += count;
}

// The value of `line` where its name is `name`, without one space; bytes is NULL if it is not.
static struct baseline_bytes value(struct baseline_bytes line, const char *name, size_t length) {
    struct baseline_bytes value = {NULL, 0};
    if (line.count < length || memcmp(line.bytes, name, length) != 0) return value;
    if (line.count == length) return (struct baseline_bytes){line.bytes + length, 0};
    if (line.bytes[length] != ':') return value;
    length += 1 + (line.count > length + 1 && line.bytes[length + 1] == ' ');
    return (struct baseline_bytes){line.bytes + length, line.count - length};
}

// Takes a value along when the bytes it lies in go.
static void keep(struct baseline_bytes *value, struct baseline_buffer *kept) {
    if (!value->bytes || value->bytes == kept->bytes) return;
    kept->count = 0;
    append(kept, value->bytes, value->count);
    value->bytes = kept->bytes;
}

static void keep_all(struct baseline_parser *parser) {
    keep(&parser->data, &parser->kept_data);
    keep(&parser->type, &parser->kept_type);
    keep(&parser->id, &parser->kept_id);
    keep(&parser->last_id, &parser->kept_last_id);
}

static void dispatch(struct baseline_parser *parser) {
    if (parser->id.bytes) {
        struct baseline_buffer kept = parser->kept_last_id;
        parser->last_id = parser->id;
        parser->kept_last_id = parser->kept_id;
        parser->kept_id = kept;
    }
    if (parser->data.bytes) {
        parser->report(parser->context, parser->type, parser->data, parser->last_id);
    }
    parser->data.bytes = parser->type.bytes = parser->id.bytes = NULL;
    parser->type.count = 0;
}

static void interpret(struct baseline_parser *parser, const uint8_t *bytes, size_t count) {
    struct baseline_bytes line = {bytes, count}, found;
    if (count > 0 && bytes[count - 1] == '\r') line.count--;
    if (line.count == 0) {
        dispatch(parser);
        return;
    }
    switch (line.bytes[0]) {
    case 'd':
        found = value(line, "data", 4);
        if (!found.bytes) return;
        if (!parser->data.bytes) {
            parser->data = found;
            return;
        }
        keep(&parser->data, &parser->kept_data);
        append(&parser->kept_data, "\n", 1);
        append(&parser->kept_data, found.bytes, found.count);
        parser->data.bytes = parser->kept_data.bytes;
        parser->data.count = parser->kept_data.count;
        return;
    case 'e':
        found = value(line, "event", 5);
        if (found.bytes) parser->type = found;
        return;
    case 'i':
        found = value(line, "id", 2);
        if (found.bytes && !memchr(found.bytes, 0, found.count)) parser->id = found;
        return;
    }
}

void baseline_parse(struct baseline_parser *parser, const uint8_t *bytes, size_t count) {
    const uint8_t *end = bytes + count;
    while (bytes < end) {
        const uint8_t *line_end = memchr(bytes, '\n', (size_t)(end - bytes));
        size_t length = (size_t)((line_end ? line_end : end) - bytes);
        if (!line_end || parser->line.count > 0) append(&parser->line, bytes, length);
        if (!line_end) break;
        if (parser->line.count > 0) {
            interpret(parser, parser->line.bytes, parser->line.count);
            keep_all(parser);
            parser->line.count = 0;
        } else {
            interpret(parser, bytes, length);
        }
        bytes = line_end + 1;
    }
    keep_all(parser);
}

void baseline_parser_free(struct baseline_parser *parser) {
    free(parser->line.bytes);
    free(parser->kept_data.bytes);
    free(parser->kept_type.bytes);
    free(parser->kept_id.bytes);
    free(parser->kept_last_id.bytes);
}
