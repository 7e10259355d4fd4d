package import BelayTransport

/// How connections come about: what they pass through and whom they trust.
package struct DialSettings: Hashable, Sendable {
    /// For `wss` and `https`.
    package var tls: TLSPolicy
    /// `nil` for the straight way.
    package var proxy: HTTPProxy?

    /// Settings; by default the straight way, and the system's trust.
    package init(tls: TLSPolicy = .standard, proxy: HTTPProxy? = nil) {
        self.tls = tls
        self.proxy = proxy
    }
}
