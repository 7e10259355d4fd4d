// The part of sd-bus that is used, by its documented interface (sd-bus(3), since version 237), so
// that no header of it is needed to build.
#ifndef SDBUS_H
#define SDBUS_H

#include <stdint.h>

typedef struct sd_bus sd_bus;
typedef struct sd_bus_message sd_bus_message;
typedef struct sd_bus_slot sd_bus_slot;
typedef struct sd_bus_error sd_bus_error;
typedef int (*sd_bus_message_handler_t)(sd_bus_message *, void *, sd_bus_error *);

// Result, name, parameters.
#define SDBUS_FUNCTIONS(F)                                                                         \
    F(int, sd_bus_new, (sd_bus **))                                                                \
    F(int, sd_bus_set_address, (sd_bus *, const char *))                                           \
    F(int, sd_bus_set_bus_client, (sd_bus *, int))                                                 \
    F(int, sd_bus_start, (sd_bus *))                                                               \
    F(int, sd_bus_open_system, (sd_bus **))                                                        \
    F(void, sd_bus_close, (sd_bus *))                                                              \
    F(sd_bus *, sd_bus_unref, (sd_bus *))                                                          \
    F(int, sd_bus_is_open, (sd_bus *))                                                             \
    F(int, sd_bus_get_fd, (sd_bus *))                                                              \
    F(int, sd_bus_get_events, (sd_bus *))                                                          \
    F(int, sd_bus_process, (sd_bus *, sd_bus_message **))                                          \
    F(int, sd_bus_add_match_async,                                                                 \
      (sd_bus *, sd_bus_slot **, const char *, sd_bus_message_handler_t,                           \
       sd_bus_message_handler_t, void *))                                                          \
    F(sd_bus_slot *, sd_bus_slot_unref, (sd_bus_slot *))                                           \
    F(int, sd_bus_call_async,                                                                      \
      (sd_bus *, sd_bus_slot **, sd_bus_message *, sd_bus_message_handler_t, void *, uint64_t))    \
    F(int, sd_bus_message_new_method_call,                                                         \
      (sd_bus *, sd_bus_message **, const char *, const char *, const char *, const char *))       \
    F(sd_bus_message *, sd_bus_message_unref, (sd_bus_message *))                                  \
    F(int, sd_bus_message_append, (sd_bus_message *, const char *, ...))                           \
    F(int, sd_bus_message_read, (sd_bus_message *, const char *, ...))                             \
    F(int, sd_bus_message_skip, (sd_bus_message *, const char *))                                  \
    F(int, sd_bus_message_enter_container, (sd_bus_message *, char, const char *))                 \
    F(int, sd_bus_message_exit_container, (sd_bus_message *))                                      \
    F(int, sd_bus_message_is_method_error, (sd_bus_message *, const char *))                       \
    F(const char *, sd_bus_message_get_sender, (sd_bus_message *))

struct sdbus {
#define SDBUS_MEMBER(result, name, parameters) result(*name) parameters;
    SDBUS_FUNCTIONS(SDBUS_MEMBER)
#undef SDBUS_MEMBER
};

#endif
