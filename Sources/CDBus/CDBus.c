#if defined(__linux__)
#define _GNU_SOURCE
#include "CDBus.h"

#include "SDBus.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define BUS "org.freedesktop.DBus"
#define MANAGER "org.freedesktop.NetworkManager"
#define MANAGER_PATH "/org/freedesktop/NetworkManager"
#define PROPERTIES "org.freedesktop.DBus.Properties"
#define PROPERTY "Metered"

// A name has 255 bytes at most (D-Bus specification, "Valid Names").
#define NAME_SIZE 256

struct cdbus_watch {
    sd_bus *bus;
    // The socket that the caller has a descriptor of.
    dev_t device;
    ino_t inode;
    // The question under way, if any, and of whom.
    sd_bus_slot *question;
    char asked[NAME_SIZE];
    // What the present step came upon.
    enum cdbus_step heard;
    int failure;
    char owner[NAME_SIZE];
    uint32_t metered;
};

// The library.

static struct sdbus sd;
static int is_loaded;

// It is never unloaded: watches of other loops may be at work.
static void load(void) {
    void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
#define FIND(result, name, parameters)                                                             \
    *(void **)&sd.name = dlsym(library, #name);                                                    \
    if (!sd.name) return;
    SDBUS_FUNCTIONS(FIND)
#undef FIND
    is_loaded = 1;
}

// What messages say.

static void hear(struct cdbus_watch *watch, enum cdbus_step what, const char *owner) {
    if (!owner || strlen(owner) >= NAME_SIZE) return;
    watch->heard = what;
    strcpy(watch->owner, owner);
}

static void hear_owner(struct cdbus_watch *watch, const char *owner) {
    hear(watch, *owner ? CDBUS_OWNED : CDBUS_UNOWNED, owner);
}

// Whoever cannot listen would believe an old word for ever.
static int match_added(sd_bus_message *message, void *context, sd_bus_error *error) {
    (void)error;
    struct cdbus_watch *watch = context;
    if (sd.sd_bus_message_is_method_error(message, NULL) > 0) watch->failure = -EACCES;
    return 1;
}

static int owner_answered(sd_bus_message *message, void *context, sd_bus_error *error) {
    (void)error;
    struct cdbus_watch *watch = context;
    const char *owner;
    if (sd.sd_bus_message_is_method_error(message, BUS ".Error.NameHasNoOwner") > 0) {
        hear_owner(watch, "");
    } else if (sd.sd_bus_message_is_method_error(message, NULL) > 0 ||
               sd.sd_bus_message_read(message, "s", &owner) <= 0) {
        watch->failure = -EACCES;
    } else {
        hear_owner(watch, owner);
    }
    return 1;
}

static int owner_changed(sd_bus_message *message, void *context, sd_bus_error *error) {
    (void)error;
    const char *sender = sd.sd_bus_message_get_sender(message);
    const char *name, *before, *owner;
    // A signal sent to us alone passes by the bus's filter, whoever sends it.
    if (!sender || strcmp(sender, BUS) != 0) return 1;
    if (sd.sd_bus_message_read(message, "sss", &name, &before, &owner) <= 0) return 1;
    if (strcmp(name, MANAGER) == 0) hear_owner(context, owner);
    return 1;
}

static int property_answered(sd_bus_message *message, void *context, sd_bus_error *error) {
    (void)error;
    struct cdbus_watch *watch = context;
    int is_read = sd.sd_bus_message_is_method_error(message, NULL) <= 0 &&
                  sd.sd_bus_message_read(message, "v", "u", &watch->metered) > 0;
    hear(watch, is_read ? CDBUS_SAID : CDBUS_UNREADABLE, watch->asked);
    return 1;
}

// What a{sv} says of the property: CDBUS_OTHER for nothing.
static enum cdbus_step read_values(sd_bus_message *message, uint32_t *metered) {
    enum cdbus_step what = CDBUS_OTHER;
    int more;
    const char *name;
    if (sd.sd_bus_message_enter_container(message, 'a', "{sv}") <= 0) return CDBUS_UNREADABLE;
    while ((more = sd.sd_bus_message_enter_container(message, 'e', "sv")) > 0) {
        if (sd.sd_bus_message_read(message, "s", &name) <= 0) return CDBUS_UNREADABLE;
        if (strcmp(name, PROPERTY) != 0) {
            if (sd.sd_bus_message_skip(message, "v") < 0) return CDBUS_UNREADABLE;
        } else {
            if (sd.sd_bus_message_read(message, "v", "u", metered) <= 0) return CDBUS_UNREADABLE;
            what = CDBUS_SAID;
        }
        if (sd.sd_bus_message_exit_container(message) < 0) return CDBUS_UNREADABLE;
    }
    if (more < 0 || sd.sd_bus_message_exit_container(message) < 0) return CDBUS_UNREADABLE;
    return what;
}

// Whether the property is among the names of `as`.
static int is_withdrawn(sd_bus_message *message) {
    const char *name;
    if (sd.sd_bus_message_enter_container(message, 'a', "s") <= 0) return 0;
    while (sd.sd_bus_message_read(message, "s", &name) > 0) {
        if (strcmp(name, PROPERTY) == 0) return 1;
    }
    return 0;
}

// Of whom it is, the caller judges.
static int properties_changed(sd_bus_message *message, void *context, sd_bus_error *error) {
    (void)error;
    struct cdbus_watch *watch = context;
    const char *interface;
    if (sd.sd_bus_message_read(message, "s", &interface) <= 0) return 1;
    if (strcmp(interface, MANAGER) != 0) return 1;
    enum cdbus_step what = read_values(message, &watch->metered);
    if (what == CDBUS_OTHER && is_withdrawn(message)) what = CDBUS_WITHDRAWN;
    if (what != CDBUS_OTHER) hear(watch, what, sd.sd_bus_message_get_sender(message));
    return 1;
}

// What is asked of others.

// Without a limit of sd-bus's own, which would need its timer: the caller has one.
static int call(struct cdbus_watch *watch, sd_bus_slot **slot, const char *destination,
                const char *path, const char *interface, const char *member,
                sd_bus_message_handler_t answered, const char *types, const char *first,
                const char *second) {
    sd_bus_message *message = NULL;
    int result = sd.sd_bus_message_new_method_call(watch->bus, &message, destination, path,
                                                   interface, member);
    // What `types` does not name is not read.
    if (result >= 0) result = sd.sd_bus_message_append(message, types, first, second);
    if (result >= 0)
        result = sd.sd_bus_call_async(watch->bus, slot, message, answered, watch, UINT64_MAX);
    if (message) sd.sd_bus_message_unref(message);
    return result;
}

// Listening comes before asking, so that no change falls in between.
static int listen_and_ask(struct cdbus_watch *watch) {
    int result = sd.sd_bus_add_match_async(
        watch->bus, NULL,
        "type='signal',sender='" BUS "',path='/org/freedesktop/DBus',interface='" BUS
        "',member='NameOwnerChanged',arg0='" MANAGER "'",
        owner_changed, match_added, watch);
    if (result < 0) return result;
    result = sd.sd_bus_add_match_async(
        watch->bus, NULL,
        "type='signal',sender='" MANAGER "',path='" MANAGER_PATH "',interface='" PROPERTIES
        "',member='PropertiesChanged',arg0='" MANAGER "'",
        properties_changed, match_added, watch);
    if (result < 0) return result;
    return call(watch, NULL, BUS, "/org/freedesktop/DBus", BUS, "GetNameOwner", owner_answered,
                "s", MANAGER, NULL);
}

static int begin(const char *address, sd_bus **bus) {
    if (!address) return sd.sd_bus_open_system(bus);
    int result = sd.sd_bus_new(bus);
    if (result >= 0) result = sd.sd_bus_set_address(*bus, address);
    if (result >= 0) result = sd.sd_bus_set_bus_client(*bus, 1);
    if (result >= 0) result = sd.sd_bus_start(*bus);
    return result;
}

int cdbus_open(const char *address, struct cdbus_watch **opened) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    if (!is_loaded) return -ELIBACC;
    struct cdbus_watch *watch = calloc(1, sizeof *watch);
    if (!watch) return -ENOMEM;
    int result = begin(address, &watch->bus);
    if (result >= 0) result = listen_and_ask(watch);
    if (result >= 0) {
        *opened = watch;
        return 0;
    }
    cdbus_close(watch);
    return result;
}

int cdbus_take_descriptor(struct cdbus_watch *watch, int *taken) {
    int descriptor = sd.sd_bus_get_fd(watch->bus);
    if (descriptor < 0) return descriptor;
    struct stat status;
    if (fstat(descriptor, &status) != 0) return -errno;
    if (status.st_dev == watch->device && status.st_ino == watch->inode) return 0;
    *taken = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    if (*taken < 0) return -errno;
    // Not before: whoever has no descriptor of it must not be told that it has.
    watch->device = status.st_dev;
    watch->inode = status.st_ino;
    return 1;
}

int cdbus_wishes(struct cdbus_watch *watch) {
    int events = sd.sd_bus_get_events(watch->bus);
    if (events < 0) return events;
    return (events & POLLIN ? CDBUS_READ : 0) | (events & POLLOUT ? CDBUS_WRITE : 0);
}

int cdbus_step(struct cdbus_watch *watch) {
    watch->heard = CDBUS_OTHER;
    int result = sd.sd_bus_process(watch->bus, NULL);
    if (result < 0) return result;
    if (watch->failure) return watch->failure;
    if (sd.sd_bus_is_open(watch->bus) <= 0) return -ECONNRESET;
    return result == 0 ? CDBUS_IDLE : (int)watch->heard;
}

const char *cdbus_owner(const struct cdbus_watch *watch) { return watch->owner; }

uint32_t cdbus_metered(const struct cdbus_watch *watch) { return watch->metered; }

int cdbus_ask(struct cdbus_watch *watch, const char *owner) {
    if (strlen(owner) >= NAME_SIZE) return -EINVAL;
    strcpy(watch->asked, owner);
    if (watch->question) sd.sd_bus_slot_unref(watch->question);
    watch->question = NULL;
    return call(watch, &watch->question, owner, MANAGER_PATH, PROPERTIES, "Get",
                property_answered, "ss", MANAGER, PROPERTY);
}

void cdbus_close(struct cdbus_watch *watch) {
    // A question holds the bus.
    if (watch->question) sd.sd_bus_slot_unref(watch->question);
    if (watch->bus) {
        sd.sd_bus_close(watch->bus);
        sd.sd_bus_unref(watch->bus);
    }
    free(watch);
}
#endif
