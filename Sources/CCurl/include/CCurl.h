// HTTP by libcurl over sockets that others connected: its calls with their types, and what every
// transfer of ours has in common. Empty on other systems than Linux.
//
// A transfer asks once. It has a connection of its own, follows no redirect, keeps no cookie, reads
// no environment and has no time-out. Callbacks come from within ccurl_multi_act, ccurl_resume and
// ccurl_multi_remove only, and none of them may call anything here.
#ifndef CCURL_H
#define CCURL_H

#if defined(__linux__)
#include <stddef.h>

struct ccurl_multi;
struct ccurl_transfer;

enum ccurl_reception { CCURL_TAKEN, CCURL_LATER, CCURL_REFUSED };

// What a transfer calls; `context` is the transfer's.
struct ccurl_callbacks {
    // The connected socket, on the first call; -1 on every other.
    int (*descriptor)(void *context);
    // A line of a head, with its end. Later is no answer here.
    enum ccurl_reception (*head)(void *context, const char *bytes, size_t size);
    // Bytes behind the head, as they came: chunks and codings are left in. What is to come later
    // is offered again after ccurl_resume.
    enum ccurl_reception (*body)(void *context, const char *bytes, size_t size);
    // Sets an SSL_CTX up; 0 where it cannot be.
    int (*secure)(void *context, void *ssl_context);
};

struct ccurl_request {
    const char *url;
    const char *target;   // what the request line names
    const char *method;
    const char *address;  // numeric, where the socket is connected to, with its brackets
    const char *const *fields;  // lines without their ends; "name;" for one without a value
    size_t field_count;
    const void *body;  // NULL for none; copied
    size_t body_size;
};

// How a transfer ended: libcurl's CURLcode, and errno where the socket failed.
struct ccurl_end {
    int code;
    int system_error;
};

// A transfer for this multi, and no other; NULL where no memory is left, or libcurl was built on
// another library than OpenSSL.
struct ccurl_transfer *ccurl_create(struct ccurl_multi *multi, const struct ccurl_request *request,
                                    const struct ccurl_callbacks *callbacks);
// What its callbacks are given; it outlives the transfer.
void ccurl_set_context(struct ccurl_transfer *transfer, void *context);
// A transfer that no multi has.
void ccurl_destroy(struct ccurl_transfer *transfer);

// Goes on after CCURL_LATER.
void ccurl_resume(struct ccurl_transfer *transfer);

struct ccurl_multi_callbacks {
    // What a socket is watched for: reading, writing, both or none.
    void (*watch)(void *context, int descriptor, int reading, int writing);
    // Act on the timer after so many milliseconds; -1 for never.
    void (*timer)(void *context, long milliseconds);
    // libcurl is done with the socket: close it. Its transfer may be gone.
    void (*close)(void *context, int descriptor);
};

// NULL where no memory is left.
struct ccurl_multi *ccurl_multi_create(const struct ccurl_multi_callbacks *callbacks);
// What its callbacks are given; it outlives the multi.
void ccurl_multi_set_context(struct ccurl_multi *multi, void *context);
void ccurl_multi_destroy(struct ccurl_multi *multi);

// 0 where it cannot.
int ccurl_multi_add(struct ccurl_multi *multi, struct ccurl_transfer *transfer);
// At any time, done or not: the socket is closed.
void ccurl_multi_remove(struct ccurl_multi *multi, struct ccurl_transfer *transfer);

// A socket is ready; -1 where the timer fired.
void ccurl_multi_act(struct ccurl_multi *multi, int descriptor, int readable, int writable);
// The next transfer that is done; NULL for none.
struct ccurl_transfer *ccurl_multi_next_done(struct ccurl_multi *multi, struct ccurl_end *end);
// Milliseconds until libcurl would do something by itself; -1 for never.
long ccurl_multi_timeout(struct ccurl_multi *multi);
#endif

#endif
