package import BelayCore
package import BelayTransport

/// How connections come about: what they pass through and whom they trust.
package struct DialSettings: Hashable, Sendable {
    /// For `wss` and `https`.
    package var tls: TLSPolicy
    /// `nil` for the straight way.
    package var proxy: HTTPProxy?
    /// How long the way to the peer may take, in milliseconds, over all addresses of a name and a
    /// proxy. The driver bounds the whole: name, way, TLS and response.
    package var timeout: Milliseconds = 10_000

    /// Settings; by default the straight way, and the system's trust.
    package init(tls: TLSPolicy = .standard, proxy: HTTPProxy? = nil) {
        self.tls = tls
        self.proxy = proxy
    }
}
