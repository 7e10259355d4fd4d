// An echo server on uWebSockets, which it loads from the library that PyPI's socketify carries.
//
//   bench-uwebsockets LIBRARY
//
// It calls uWebSockets' own C interface: no Python takes part. Prints its port; ends when its
// standard input does. The declarations are those of that interface, cut down to what is called.
#define _GNU_SOURCE
#include <stdio.h>

#if defined(__linux__)
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct app app;
typedef struct socket socket;
typedef struct listener listener;

struct tls_options {
    const char *key, *certificate, *passphrase, *parameters, *authorities, *ciphers;
    int prefers_low_memory;
};
struct listen_options {
    int port;
    const char *host;
    int options;
};
typedef void on_socket(socket *, void *);
typedef void on_message(socket *, const char *, size_t, int, void *);
typedef void on_control(socket *, const char *, size_t, void *);
typedef void on_close(socket *, int, const char *, size_t, void *);
typedef void on_listen(listener *, struct listen_options, void *);

struct behaviour {
    int compression;
    unsigned int longest_message;
    unsigned short idle_timeout;
    unsigned int most_backpressure;
    bool closes_on_backpressure, postpones_timeout_on_send, sends_pings;
    unsigned short longest_life;
    void *upgrade;
    on_socket *open;
    on_message *message;
    on_socket *drain;
    on_control *ping, *pong;
    on_close *close;
    void *subscription;
};

static int (*local_port)(int ssl, listener *);
static int (*send_message)(int ssl, socket *, const char *, size_t, int opcode);

static void echo(socket *socket, const char *message, size_t count, int opcode, void *context) {
    (void)context;
    send_message(0, socket, message, count, opcode);
}

static void opened(socket *socket, void *context) {
    (void)socket, (void)context;
}

static void closed(socket *socket, int code, const char *reason, size_t count, void *context) {
    (void)socket, (void)code, (void)reason, (void)count, (void)context;
}

static void listens(listener *listener, struct listen_options options, void *context) {
    (void)options, (void)context;
    if (!listener) {
        fputs("error: cannot listen\n", stderr);
        exit(1);
    }
    printf("%d\n", local_port(0, listener));
    fflush(stdout);
}

// Its loop offers nothing to watch a pipe with. A thread that sleeps costs no CPU time.
static void *wait_for_the_end(void *context) {
    char byte;
    while (read(STDIN_FILENO, &byte, 1) > 0) continue;
    _exit(0);
    return context;
}

static void *symbol(void *library, const char *name) {
    void *found = dlsym(library, name);
    if (!found) {
        fprintf(stderr, "error: %s\n", dlerror());
        exit(1);
    }
    return found;
}

int main(int count, char **arguments) {
    void *library = count == 2 ? dlopen(arguments[1], RTLD_NOW) : NULL;
    if (!library) {
        fprintf(stderr, "error: %s\n", count == 2 ? dlerror() : "no library was named");
        return 2;
    }
    app *(*create)(int, struct tls_options) = symbol(library, "uws_create_app");
    void (*serve)(int, app *, const char *, struct behaviour, void *) = symbol(library, "uws_ws");
    void (*listen)(int, app *, struct listen_options, on_listen *, void *) =
        symbol(library, "uws_app_listen_with_config");
    void (*run)(int, app *) = symbol(library, "uws_app_run");
    local_port = symbol(library, "us_socket_local_port");
    send_message = symbol(library, "uws_ws_send");

    pthread_t thread;
    if (pthread_create(&thread, NULL, wait_for_the_end, NULL) != 0) return 1;
    app *server = create(0, (struct tls_options){0});
    struct behaviour behaviour = {
        .longest_message = 16 << 20,
        .most_backpressure = 64 << 20,
        .open = opened,
        .message = echo,
        .drain = opened,
        .close = closed,
    };
    serve(0, server, "/*", behaviour, NULL);
    listen(0, server, (struct listen_options){.host = "127.0.0.1"}, listens, NULL);
    run(0, server);
    return 0;
}
#else
int main(void) {
    fputs("error: bench-uwebsockets needs the Linux library of socketify\n", stderr);
    return 2;
}
#endif
