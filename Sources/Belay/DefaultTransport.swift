import BelayTCP
public import BelayTransport
public import BelayWire

/// What opens connections where an app names nothing else.
public enum DefaultTransport {
    /// `ws` over Belay's own sockets, on the event loop that all connections share.
    ///
    /// `wss` ends its attempts with `connectFailed`: TLS is not there yet.
    public static var webSocket: some WebSocketTransport { TCPWebSocketTransport() }

    /// The same with other limits, or another compression.
    ///
    /// - Parameters:
    ///   - limits: How much a server may send before it must come to an end.
    ///   - compression: What is offered to the server; nil offers none. Offered by default, since
    ///     a radio costs more than the 71 KiB that a connection holds while it compresses. Offer
    ///     none where one message mixes a secret with what a stranger chose: its length tells.
    public static func webSocket(
        limits: WebSocketLimits = .default,
        compression: PermessageDeflate.Policy? = .client
    ) -> some WebSocketTransport {
        TCPWebSocketTransport(limits: limits, compression: compression)
    }

    /// `http` over Belay's own sockets, on the event loop that all connections share.
    ///
    /// `https` ends its attempts with `connectFailed`: TLS is not there yet.
    public static var eventStream: some EventStreamTransport { TCPEventStreamTransport() }
}
