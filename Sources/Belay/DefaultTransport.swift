import BelayTCP
public import BelayTransport
public import BelayWire

/// What opens connections where an app names nothing else.
public enum DefaultTransport {
    /// `ws` and `wss` over Belay's own sockets, on the event loop that all connections share.
    ///
    /// `wss` trusts what the system trusts. Elsewhere than on Linux it ends its attempts with
    /// `connectFailed`: TLS is not there yet.
    public static var webSocket: some WebSocketTransport { TCPWebSocketTransport() }

    /// `http` and `https` over Belay's own sockets, like `webSocket`.
    public static var eventStream: some EventStreamTransport { TCPEventStreamTransport() }

    /// As `webSocket`, with other limits or compression, further authorities, a client
    /// certificate, or a proxy.
    ///
    /// - Parameters:
    ///   - limits: How much a server may send before it must come to an end.
    ///   - compression: What is offered to the server; nil offers none. Offered by default, since
    ///     a radio costs more than the 71 KiB that a connection holds while it compresses. Offer
    ///     none where one message mixes a secret with what a stranger chose: its length tells.
    ///   - tls: Whom to trust, and who we are.
    ///   - proxy: Through whose CONNECT to go; nil goes straight.
    /// - Throws: `TLSPolicy.Invalid` where a file of the policy cannot be used now. Where one
    ///   fails later, the attempt ends with `connectFailed`.
    public static func makeWebSocket(
        limits: WebSocketLimits = .default,
        compression: PermessageDeflate.Policy? = .client,
        tls: TLSPolicy = .standard, proxy: HTTPProxy? = nil
    ) throws(TLSPolicy.Invalid) -> some WebSocketTransport {
        if tls != .standard { try tls.check() }
        return TCPWebSocketTransport(
            dial: DialSettings(tls: tls, proxy: proxy), limits: limits, compression: compression)
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
