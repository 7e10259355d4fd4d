// TLS as a client over a non-blocking socket: OpenSSL's calls with their outcomes as values.
//
// No call waits, prompts or raises SIGPIPE. The peer's certificate is always verified, for the
// host that was asked for. On other systems than Linux every session is refused.
#ifndef COPENSSL_H
#define COPENSSL_H

#include <stddef.h>
#include <stdint.h>

struct copenssl_settings {
    // A DNS name, or an IPv4 or IPv6 address: what the certificate must be for.
    const char *host;
    // PEM files; NULL for none. The authorities are trusted besides the system's.
    const char *authorities_file;
    const char *certificate_file;  // the client's certificate, then its issuers'
    const char *key_file;          // without a passphrase
    int minimum_minor;             // the least version: 2 for TLS 1.2, 3 for TLS 1.3
};

// Why there is no session.
enum copenssl_fault {
    COPENSSL_NO_FAULT,
    COPENSSL_AUTHORITIES,
    COPENSSL_CERTIFICATE,
    COPENSSL_KEY,  // unreadable, with a passphrase, or another certificate's
    COPENSSL_UNSUPPORTED,
    COPENSSL_EXHAUSTED,
};

enum copenssl_outcome {
    COPENSSL_MOVED,
    COPENSSL_WANTS_READING,  // again when the socket can be read
    COPENSSL_WANTS_WRITING,  // again when the socket can be written
    COPENSSL_ENDED,          // close_notify came
    COPENSSL_CUT,            // FIN, and no close_notify before it
    COPENSSL_SYSTEM,         // the socket failed; see copenssl_errno
    COPENSSL_REFUSED,        // a certificate or a record that does not hold, or the peer's alert
};

// What a peer said by an alert.
enum copenssl_alert {
    COPENSSL_NO_ALERT,
    COPENSSL_CLOSE_NOTIFY,
    COPENSSL_FATAL,  // why it goes
};

// Sets up an SSL_CTX that another library made, by the same rules as a session's: trust, host,
// certificate, versions. The peer's last alert is written to `alert`, which outlives the context's
// connections.
enum copenssl_fault copenssl_configure(void *ssl_context, const struct copenssl_settings *settings,
                                       enum copenssl_alert *alert);

struct copenssl_session;

// A session that has sent nothing yet; its handshake goes by with the first transfers. The
// descriptor stays the caller's. NULL where `fault` says why.
struct copenssl_session *copenssl_create(const struct copenssl_settings *settings, int descriptor,
                                         enum copenssl_fault *fault);
void copenssl_destroy(struct copenssl_session *session);

// At most `size` bytes; how many, in `moved`.
enum copenssl_outcome copenssl_read(struct copenssl_session *session, void *bytes, size_t size,
                                    size_t *moved);

// Whole records only: bytes that are not moved are offered again, with others behind them or
// none, from wherever they lie then.
enum copenssl_outcome copenssl_write(struct copenssl_session *session, const void *bytes,
                                     size_t size, size_t *moved);

// Sends close_notify; reading goes on. Does nothing before the handshake is done.
enum copenssl_outcome copenssl_finish(struct copenssl_session *session);

int copenssl_is_established(const struct copenssl_session *session);

// Bytes that were decrypted and not read: no socket reports them again.
int copenssl_has_pending(const struct copenssl_session *session);

// errno of the last COPENSSL_SYSTEM.
int copenssl_errno(const struct copenssl_session *session);

#endif
