import BelayTCP
public import BelayTransport

/// What opens connections where an app names nothing else.
public enum DefaultTransport {
    /// `ws` over Belay's own sockets, on the event loop that all connections share.
    ///
    /// `wss` ends its attempts with `connectFailed`: TLS is not there yet.
    public static var webSocket: some WebSocketTransport { TCPWebSocketTransport() }

    /// `http` over Belay's own sockets, on the event loop that all connections share.
    ///
    /// `https` ends its attempts with `connectFailed`: TLS is not there yet.
    public static var eventStream: some EventStreamTransport { TCPEventStreamTransport() }
}
