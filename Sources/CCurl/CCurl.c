#if defined(__linux__)
#include "CCurl.h"

#include <curl/curl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct ccurl_transfer {
    CURL *easy;
    struct curl_slist *fields;
    struct curl_slist *address;
    struct ccurl_callbacks callbacks;
    void *context;
};

struct ccurl_multi {
    CURLM *multi;
    struct ccurl_multi_callbacks callbacks;
    void *context;
};

static void initialize(void) { curl_global_init(CURL_GLOBAL_DEFAULT); }

// What libcurl calls.

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *to) {
    (void)purpose;
    (void)to;
    struct ccurl_transfer *transfer = context;
    int descriptor = transfer->callbacks.descriptor(transfer->context);
    return descriptor < 0 ? CURL_SOCKET_BAD : descriptor;
}

// libcurl 7.87 and 7.88 call connect() all the same. On Linux that answers 0, once, for a socket
// whose connect() was under way when it was called first, as it always is without blocking.
static int is_connected(void *context, curl_socket_t descriptor, curlsocktype purpose) {
    (void)context;
    (void)descriptor;
    (void)purpose;
    return CURL_SOCKOPT_ALREADY_CONNECTED;
}

static int close_socket(void *context, curl_socket_t descriptor) {
    struct ccurl_multi *multi = context;
    multi->callbacks.close(multi->context, descriptor);
    return 0;
}

static size_t take_head(char *bytes, size_t one, size_t size, void *context) {
    (void)one;
    struct ccurl_transfer *transfer = context;
    return transfer->callbacks.head(transfer->context, bytes, size) == CCURL_TAKEN ? size : 0;
}

static size_t take_body(char *bytes, size_t one, size_t size, void *context) {
    (void)one;
    struct ccurl_transfer *transfer = context;
    switch (transfer->callbacks.body(transfer->context, bytes, size)) {
    case CCURL_TAKEN: return size;
    case CCURL_LATER: return CURL_WRITEFUNC_PAUSE;
    default: return 0;
    }
}

static CURLcode secure(CURL *easy, void *ssl_context, void *context) {
    (void)easy;
    struct ccurl_transfer *transfer = context;
    return transfer->callbacks.secure(transfer->context, ssl_context) ? CURLE_OK
                                                                      : CURLE_SSL_CERTPROBLEM;
}

static int watch_socket(CURL *easy, curl_socket_t descriptor, int what, void *context,
                        void *socket) {
    (void)easy;
    (void)socket;
    struct ccurl_multi *multi = context;
    multi->callbacks.watch(multi->context, descriptor,
                           what == CURL_POLL_IN || what == CURL_POLL_INOUT,
                           what == CURL_POLL_OUT || what == CURL_POLL_INOUT);
    return 0;
}

static int set_timer(CURLM *handle, long milliseconds, void *context) {
    (void)handle;
    struct ccurl_multi *multi = context;
    multi->callbacks.timer(multi->context, milliseconds);
    return 0;
}

// Transfers.

// What libcurl does by itself, and shall not.
static void set_rules(CURL *easy) {
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");  // Not the environment's either.
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
#endif
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    curl_easy_setopt(easy, CURLOPT_HTTP_TRANSFER_DECODING, 0L);
    // A pooled connection may be dead for long, and one that carries several streams ends them
    // together and has the slowest hold the others up.
    curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
    curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
    // Its default of five minutes counts the TLS handshake in. 0 would be that default.
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)INT_MAX);
}

// 0 where libcurl was built on another library than OpenSSL: nobody would see to trust.
static int set_security(CURL *easy, struct ccurl_transfer *transfer) {
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
    // A session kept for one trust would be taken up under another, and nothing verified.
    curl_easy_setopt(easy, CURLOPT_SSL_SESSIONID_CACHE, 0L);
#if LIBCURL_VERSION_NUM >= 0x075700
    // The same for a store of authorities, which it keeps beside the file's name, and for 7.88 that
    // is the one that we put there.
    curl_easy_setopt(easy, CURLOPT_CA_CACHE_TIMEOUT, 0L);
#endif
    // Whom to trust is set where the context is: reading the system's file takes 17 ms each time.
    curl_easy_setopt(easy, CURLOPT_CAINFO, NULL);
    curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
    curl_easy_setopt(easy, CURLOPT_SSL_CTX_DATA, transfer);
    return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, secure) == CURLE_OK;
}

static void set_callbacks(CURL *easy, struct ccurl_transfer *transfer) {
    curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, is_connected);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close_socket);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_head);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
}

static int append(struct curl_slist **list, const char *line) {
    struct curl_slist *longer = curl_slist_append(*list, line);
    if (longer) *list = longer;
    return longer != NULL;
}

// 0 where no memory is left.
static int set_request(struct ccurl_transfer *transfer, const struct ccurl_request *request) {
    CURL *easy = transfer->easy;
    for (size_t i = 0; i < request->field_count; i++)
        if (!append(&transfer->fields, request->fields[i])) return 0;
    // Without the empty host and port it would be for one peer: this is for any.
    char address[128];
    snprintf(address, sizeof address, "::%s:", request->address);
    if (!append(&transfer->address, address)) return 0;
    curl_easy_setopt(easy, CURLOPT_CONNECT_TO, transfer->address);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->fields);
    if (request->body) {
        curl_easy_setopt(easy, CURLOPT_POST, 1L);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_size);
        if (curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, request->body) != CURLE_OK) return 0;
    }
    return curl_easy_setopt(easy, CURLOPT_URL, request->url) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_REQUEST_TARGET, request->target) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method) == CURLE_OK;
}

struct ccurl_transfer *ccurl_create(struct ccurl_multi *multi, const struct ccurl_request *request,
                                    const struct ccurl_callbacks *callbacks) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, initialize);
    struct ccurl_transfer *transfer = calloc(1, sizeof *transfer);
    if (!transfer) return NULL;
    transfer->callbacks = *callbacks;
    transfer->easy = curl_easy_init();
    if (transfer->easy) {
        set_rules(transfer->easy);
        set_callbacks(transfer->easy, transfer);
        // Newer versions shut a connection down when its transfer is gone.
        curl_easy_setopt(transfer->easy, CURLOPT_CLOSESOCKETDATA, multi);
        if (set_security(transfer->easy, transfer) && set_request(transfer, request))
            return transfer;
    }
    ccurl_destroy(transfer);
    return NULL;
}

void ccurl_set_context(struct ccurl_transfer *transfer, void *context) {
    transfer->context = context;
}

void ccurl_destroy(struct ccurl_transfer *transfer) {
    if (transfer->easy) curl_easy_cleanup(transfer->easy);
    curl_slist_free_all(transfer->fields);
    curl_slist_free_all(transfer->address);
    free(transfer);
}

void ccurl_resume(struct ccurl_transfer *transfer) {
    curl_easy_pause(transfer->easy, CURLPAUSE_CONT);
}

// The transfers of one loop.

struct ccurl_multi *ccurl_multi_create(const struct ccurl_multi_callbacks *callbacks) {
    struct ccurl_multi *multi = calloc(1, sizeof *multi);
    if (!multi) return NULL;
    multi->callbacks = *callbacks;
    multi->multi = curl_multi_init();
    if (!multi->multi) {
        free(multi);
        return NULL;
    }
    curl_multi_setopt(multi->multi, CURLMOPT_PIPELINING, (long)CURLPIPE_NOTHING);
    curl_multi_setopt(multi->multi, CURLMOPT_SOCKETFUNCTION, watch_socket);
    curl_multi_setopt(multi->multi, CURLMOPT_SOCKETDATA, multi);
    curl_multi_setopt(multi->multi, CURLMOPT_TIMERFUNCTION, set_timer);
    curl_multi_setopt(multi->multi, CURLMOPT_TIMERDATA, multi);
    return multi;
}

void ccurl_multi_set_context(struct ccurl_multi *multi, void *context) { multi->context = context; }

void ccurl_multi_destroy(struct ccurl_multi *multi) {
    curl_multi_setopt(multi->multi, CURLMOPT_SOCKETFUNCTION, NULL);
    curl_multi_setopt(multi->multi, CURLMOPT_TIMERFUNCTION, NULL);
    curl_multi_cleanup(multi->multi);
    free(multi);
}

int ccurl_multi_add(struct ccurl_multi *multi, struct ccurl_transfer *transfer) {
    return curl_multi_add_handle(multi->multi, transfer->easy) == CURLM_OK;
}

void ccurl_multi_remove(struct ccurl_multi *multi, struct ccurl_transfer *transfer) {
    curl_multi_remove_handle(multi->multi, transfer->easy);
}

void ccurl_multi_act(struct ccurl_multi *multi, int descriptor, int readable, int writable) {
    int running;
    curl_socket_t socket = descriptor < 0 ? CURL_SOCKET_TIMEOUT : descriptor;
    int ready = (readable ? CURL_CSELECT_IN : 0) | (writable ? CURL_CSELECT_OUT : 0);
    curl_multi_socket_action(multi->multi, socket, ready, &running);
}

struct ccurl_transfer *ccurl_multi_next_done(struct ccurl_multi *multi, struct ccurl_end *end) {
    CURLMsg *message;
    int rest;
    while ((message = curl_multi_info_read(multi->multi, &rest))) {
        if (message->msg != CURLMSG_DONE) continue;
        char *transfer = NULL;
        long system_error = 0;
        end->code = message->data.result;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
        curl_easy_getinfo(message->easy_handle, CURLINFO_OS_ERRNO, &system_error);
        end->system_error = (int)system_error;
        return (struct ccurl_transfer *)transfer;
    }
    return NULL;
}

long ccurl_multi_timeout(struct ccurl_multi *multi) {
    long milliseconds = -1;
    curl_multi_timeout(multi->multi, &milliseconds);
    return milliseconds;
}
#endif
