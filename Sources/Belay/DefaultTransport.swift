import BelayTCP
public import BelayTransport

/// What opens connections where an app names nothing else.
public enum DefaultTransport {
    /// `ws` and `wss` over Belay's own sockets, on the event loop that all connections share.
    ///
    /// `wss` trusts what the system trusts. Elsewhere than on Linux it ends its attempts with
    /// `connectFailed`: TLS is not there yet.
    public static var webSocket: some WebSocketTransport { TCPWebSocketTransport() }

    /// `http` and `https` over Belay's own sockets, like `webSocket`.
    public static var eventStream: some EventStreamTransport { TCPEventStreamTransport() }

    /// As `webSocket`, with further authorities, a client certificate, or a proxy.
    ///
    /// - Throws: `TLSPolicy.Invalid` where a file of the policy cannot be used now. Where one
    ///   fails later, the attempt ends with `connectFailed`.
    public static func makeWebSocket(
        tls: TLSPolicy = .standard, proxy: HTTPProxy? = nil
    ) throws(TLSPolicy.Invalid) -> some WebSocketTransport {
        if tls != .standard { try tls.check() }
        return TCPWebSocketTransport(dial: DialSettings(tls: tls, proxy: proxy))
    }

    /// As `eventStream`, with further authorities, a client certificate, or a proxy.
    ///
    /// - Throws: As `makeWebSocket`.
    public static func makeEventStream(
        tls: TLSPolicy = .standard, proxy: HTTPProxy? = nil
    ) throws(TLSPolicy.Invalid) -> some EventStreamTransport {
        if tls != .standard { try tls.check() }
        return TCPEventStreamTransport(dial: DialSettings(tls: tls, proxy: proxy))
    }
}
