#include "COpenSSL.h"

#if defined(__linux__)
#include <errno.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

struct copenssl_session {
    SSL *ssl;
    int descriptor;
    int system_error;    // of the last transfer that failed; 0 for none
    int has_ended;       // the socket gave FIN
    int is_established;  // kept here: OpenSSL takes a failed session for one in its handshake
};

// The socket, as OpenSSL sees it. Its own socket BIO raises SIGPIPE where the peer has gone, and
// keeps no errno.

static int socket_read(BIO *bio, char *bytes, int size) {
    struct copenssl_session *session = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    ssize_t count;
    do count = recv(session->descriptor, bytes, (size_t)size, 0);
    while (count < 0 && errno == EINTR);
    if (count == 0) session->has_ended = 1;
    if (count >= 0) return (int)count;
    if (errno == EAGAIN)
        BIO_set_retry_read(bio);
    else
        session->system_error = errno;
    return -1;
}

static int socket_write(BIO *bio, const char *bytes, int size) {
    struct copenssl_session *session = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    ssize_t count;
    do count = send(session->descriptor, bytes, (size_t)size, MSG_NOSIGNAL);
    while (count < 0 && errno == EINTR);
    if (count >= 0) return (int)count;
    if (errno == EAGAIN)
        BIO_set_retry_write(bio);
    else
        session->system_error = errno;
    return -1;
}

static long socket_control(BIO *bio, int command, long number, void *pointer) {
    (void)number;
    (void)pointer;
    struct copenssl_session *session = BIO_get_data(bio);
    switch (command) {
    case BIO_CTRL_FLUSH: return 1;
    case BIO_CTRL_EOF: return session->has_ended;
    default: return 0;
    }
}

// Made once for the process.

static BIO_METHOD *socket_method;

// Where a context that another library made keeps the peer's alert.
static int alert_index;

// What the system trusts. Reading it takes 17 ms and 800 KiB where it is one file of 140
// authorities, so no session reads it again.
static X509_STORE *system_store;

static void make_shared(void) {
    system_store = X509_STORE_new();
    // A system without authorities trusts nobody: the handshake will fail, not this.
    if (system_store) X509_STORE_set_default_paths(system_store);
    alert_index = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, NULL);
    socket_method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket");
    if (!socket_method) return;
    BIO_meth_set_read(socket_method, socket_read);
    BIO_meth_set_write(socket_method, socket_write);
    BIO_meth_set_ctrl(socket_method, socket_control);
}

// Without it OpenSSL asks the terminal for a passphrase, and waits.
static int no_passphrase(char *bytes, int size, int is_writing, void *context) {
    (void)bytes;
    (void)size;
    (void)is_writing;
    (void)context;
    return -1;
}

// What the system trusts, shared, and those of `file`, if any; NULL where it holds none.
static X509_STORE *store_with(const char *file) {
    X509_STORE *store = X509_STORE_new();
    if (!store || (file && !X509_STORE_load_file(store, file))) {
        X509_STORE_free(store);
        return NULL;
    }
    // Behind the file: a folder of authorities is asked where none of those at hand fits.
    X509_LOOKUP *folder = X509_STORE_add_lookup(store, X509_LOOKUP_hash_dir());
    if (folder) X509_LOOKUP_add_dir(folder, NULL, X509_FILETYPE_DEFAULT);
    X509_STORE_lock(system_store);
    STACK_OF(X509_OBJECT) *objects = X509_STORE_get0_objects(system_store);
    for (int i = 0; i < sk_X509_OBJECT_num(objects); i++) {
        X509 *authority = X509_OBJECT_get0_X509(sk_X509_OBJECT_value(objects, i));
        if (authority) X509_STORE_add_cert(store, authority);
    }
    X509_STORE_unlock(system_store);
    return store;
}

enum sharing { SHARED, OWN };

static enum copenssl_fault load(SSL_CTX *context, const struct copenssl_settings *settings,
                                enum sharing sharing) {
    if (settings->authorities_file || sharing == OWN) {
        X509_STORE *store = store_with(settings->authorities_file);
        if (!store) return COPENSSL_AUTHORITIES;
        SSL_CTX_set_cert_store(context, store);
    } else {
        SSL_CTX_set1_cert_store(context, system_store);
    }
    SSL_CTX_set_default_passwd_cb(context, no_passphrase);
    if (settings->certificate_file &&
        SSL_CTX_use_certificate_chain_file(context, settings->certificate_file) != 1)
        return COPENSSL_CERTIFICATE;
    if (settings->key_file &&
        (SSL_CTX_use_PrivateKey_file(context, settings->key_file, SSL_FILETYPE_PEM) != 1 ||
         SSL_CTX_check_private_key(context) != 1))
        return COPENSSL_KEY;
    return COPENSSL_NO_FAULT;
}

static int make_rules(SSL_CTX *context, const struct copenssl_settings *settings) {
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    // The output moves and grows between two attempts to write it; an idle session keeps no
    // buffers.
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_RELEASE_BUFFERS |
                                  SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    // A peer that renegotiates would make writing wait for reading, which may be paused.
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    int version = settings->minimum_minor >= 3 ? TLS1_3_VERSION : TLS1_2_VERSION;
    return SSL_CTX_set_min_proto_version(context, version) == 1;
}

static int offer_http1(SSL_CTX *context) {
    static const unsigned char protocols[] = "\x08http/1.1";
    return SSL_CTX_set_alpn_protos(context, protocols, sizeof protocols - 1) == 0;
}

// Has the certificate checked for `host`. A name is also told to the server, an address is not:
// `ssl` is NULL where another library does that. Sources: RFC 6066 §3, RFC 9525.
static int expect_host(X509_VERIFY_PARAM *rules, SSL *ssl, const char *host) {
    if (X509_VERIFY_PARAM_set1_ip_asc(rules, host) == 1) return 1;
    ERR_clear_error();
    // The dot that ends a full name stands in no certificate.
    char name[256];
    size_t length = strlen(host);
    if (length > 0 && host[length - 1] == '.') length--;
    if (length == 0 || length >= sizeof name) return 0;
    memcpy(name, host, length);
    name[length] = 0;
    X509_VERIFY_PARAM_set_hostflags(rules, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return X509_VERIFY_PARAM_set1_host(rules, name, length) == 1 &&
           (!ssl || SSL_set_tlsext_host_name(ssl, name) == 1);
}

static void note_alert(const SSL *ssl, int where, int what) {
    if ((where & SSL_CB_READ_ALERT) != SSL_CB_READ_ALERT) return;
    enum copenssl_alert *alert = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), alert_index);
    if (!alert) return;
    if ((what & 0xFF) == SSL3_AD_CLOSE_NOTIFY)
        *alert = COPENSSL_CLOSE_NOTIFY;
    else if (what >> 8 == SSL3_AL_FATAL)
        *alert = COPENSSL_FATAL;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

enum copenssl_fault copenssl_configure(void *ssl_context, const struct copenssl_settings *settings,
                                       enum copenssl_alert *alert) {
    SSL_CTX *context = ssl_context;
    pthread_once(&once, make_shared);
    if (!system_store || !make_rules(context, settings) ||
        !expect_host(SSL_CTX_get0_param(context), NULL, settings->host) ||
        SSL_CTX_set_ex_data(context, alert_index, alert) != 1)
        return COPENSSL_EXHAUSTED;
    SSL_CTX_set_info_callback(context, note_alert);
    // libcurl changes the rules of the store that it finds in a context.
    enum copenssl_fault fault = load(context, settings, OWN);
    ERR_clear_error();
    return fault;
}

static int attach(struct copenssl_session *session, SSL_CTX *context, const char *host) {
    session->ssl = SSL_new(context);
    if (!session->ssl) return 0;
    BIO *bio = BIO_new(socket_method);
    if (!bio) return 0;
    BIO_set_data(bio, session);
    BIO_set_init(bio, 1);
    SSL_set_bio(session->ssl, bio, bio);
    SSL_set_connect_state(session->ssl);
    return expect_host(SSL_get0_param(session->ssl), session->ssl, host);
}

struct copenssl_session *copenssl_create(const struct copenssl_settings *settings, int descriptor,
                                         enum copenssl_fault *fault) {
    pthread_once(&once, make_shared);
    ERR_clear_error();
    struct copenssl_session *session = calloc(1, sizeof *session);
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    *fault = COPENSSL_EXHAUSTED;
    if (session && context && socket_method && system_store && make_rules(context, settings) &&
        offer_http1(context)) {
        session->descriptor = descriptor;
        *fault = load(context, settings, SHARED);
        if (*fault == COPENSSL_NO_FAULT && !attach(session, context, settings->host))
            *fault = COPENSSL_EXHAUSTED;
    }
    SSL_CTX_free(context);  // The session holds it.
    ERR_clear_error();
    if (*fault == COPENSSL_NO_FAULT) return session;
    copenssl_destroy(session);
    return NULL;
}

void copenssl_destroy(struct copenssl_session *session) {
    if (!session) return;
    SSL_free(session->ssl);
    free(session);
}

static enum copenssl_outcome outcome(struct copenssl_session *session, int result) {
    int error = SSL_get_error(session->ssl, result);
    // The queue of errors belongs to the thread, not to the session.
    ERR_clear_error();
    if (SSL_is_init_finished(session->ssl)) session->is_established = 1;
    switch (error) {
    case SSL_ERROR_NONE: return COPENSSL_MOVED;
    case SSL_ERROR_WANT_READ: return COPENSSL_WANTS_READING;
    case SSL_ERROR_WANT_WRITE: return COPENSSL_WANTS_WRITING;
    case SSL_ERROR_ZERO_RETURN: return COPENSSL_ENDED;
    default:
        if (session->system_error) return COPENSSL_SYSTEM;
        return session->has_ended ? COPENSSL_CUT : COPENSSL_REFUSED;
    }
}

enum copenssl_outcome copenssl_read(struct copenssl_session *session, void *bytes, size_t size,
                                    size_t *moved) {
    *moved = 0;
    session->system_error = 0;
    return outcome(session, SSL_read_ex(session->ssl, bytes, size, moved));
}

enum copenssl_outcome copenssl_write(struct copenssl_session *session, const void *bytes,
                                     size_t size, size_t *moved) {
    *moved = 0;
    session->system_error = 0;
    return outcome(session, SSL_write_ex(session->ssl, bytes, size, moved));
}

enum copenssl_outcome copenssl_finish(struct copenssl_session *session) {
    session->system_error = 0;
    if (!SSL_is_init_finished(session->ssl)) return COPENSSL_MOVED;
    int result = SSL_shutdown(session->ssl);
    // 0: ours is sent, the peer's has not come. It may take its time.
    return result >= 0 ? COPENSSL_MOVED : outcome(session, result);
}

int copenssl_is_established(const struct copenssl_session *session) {
    return session->is_established;
}

int copenssl_has_pending(const struct copenssl_session *session) {
    return SSL_pending(session->ssl) > 0;
}

int copenssl_errno(const struct copenssl_session *session) { return session->system_error; }

#else

enum copenssl_fault copenssl_configure(void *ssl_context, const struct copenssl_settings *settings,
                                       enum copenssl_alert *alert) {
    return COPENSSL_UNSUPPORTED;
}
struct copenssl_session *copenssl_create(const struct copenssl_settings *settings, int descriptor,
                                         enum copenssl_fault *fault) {
    *fault = COPENSSL_UNSUPPORTED;
    return NULL;
}
void copenssl_destroy(struct copenssl_session *session) {}
enum copenssl_outcome copenssl_read(struct copenssl_session *session, void *bytes, size_t size,
                                    size_t *moved) {
    return COPENSSL_REFUSED;
}
enum copenssl_outcome copenssl_write(struct copenssl_session *session, const void *bytes,
                                     size_t size, size_t *moved) {
    return COPENSSL_REFUSED;
}
enum copenssl_outcome copenssl_finish(struct copenssl_session *session) { return COPENSSL_REFUSED; }
int copenssl_is_established(const struct copenssl_session *session) { return 0; }
int copenssl_has_pending(const struct copenssl_session *session) { return 0; }
int copenssl_errno(const struct copenssl_session *session) { return 0; }
#endif
