/// A proxy that connections are tunnelled through, by HTTP's CONNECT. Source: RFC 9110 §9.3.6.
///
/// The proxy looks the host name up; what goes through TLS it cannot read. It is used where it is
/// named: no environment variable sends connections elsewhere.
public struct HTTPProxy: Hashable, Sendable {
    /// The proxy's own name or address; an IPv6 address without brackets.
    public var host: String
    /// The proxy's port, 1 to 65535.
    public var port: UInt16
    /// Further fields of the CONNECT request, in order: `Proxy-Authorization`.
    public var fields: [RequestField]

    /// A proxy that is itself reached in the clear.
    public init(host: String, port: UInt16, fields: [RequestField] = []) {
        self.host = host
        self.port = port
        self.fields = fields
    }
}
