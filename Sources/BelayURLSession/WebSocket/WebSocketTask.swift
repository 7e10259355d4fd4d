import BelayTransport

/// What a channel needs of a session that holds one WebSocket task.
///
/// The session's own class stands behind it in an app, a script in tests: on Linux that class
/// compiles and cannot connect. Completions and events come on any queue.
protocol WebSocketTask: AnyObject, Sendable {
    /// Begins the opening handshake.
    func resume()

    /// Sends a message. `completion` says whether its bytes were given to the system.
    func send(
        _ message: WebSocketMessage, completion: @escaping @Sendable (SessionFailure?) -> Void)

    /// Takes the next message.
    func receive(
        _ completion: @escaping @Sendable (Result<WebSocketMessage, SessionFailure>) -> Void)

    /// Sends a ping. `completion` is meant to be called once, with the pong or a failure.
    func ping(_ completion: @escaping @Sendable (SessionFailure?) -> Void)

    /// Sends a Close frame, then ends the connection when the peer has answered.
    func close(code: UInt16, reason: String)

    /// Ends everything at once and lets the session and its delegate go.
    func invalidate()
}

/// What the delegate of such a session is told.
enum WebSocketTaskEvent: Hashable, Sendable {
    /// The opening handshake is accepted.
    case opened(subprotocol: String?)
    /// The peer's Close frame came.
    case peerClosed(code: UInt16, reasonLength: Int)
    /// The task is over, or its whole session.
    case completed(SessionCompletion)
}

/// What makes a session with one task that takes messages up to a limit in bytes. It throws where
/// the request cannot be sent as it is.
typealias MakeWebSocketTask =
    @Sendable (
        WebSocketRequest, _ messageLimit: Int,
        _ report: @escaping @Sendable (WebSocketTaskEvent) -> Void
    ) throws(SessionFailure) -> any WebSocketTask
