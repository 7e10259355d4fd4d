import BelayTCP
public import BelayTransport

/// The adapter that this platform gets.
public enum DefaultTransport {
    /// Opens WebSocket connections, on the loop that all who need none of their own share.
    public static var webSocket: some WebSocketTransport { TCPWebSocketTransport() }

    /// Opens event streams, on the same loop.
    public static var eventStream: some EventStreamTransport { TCPEventStreamTransport() }
}
