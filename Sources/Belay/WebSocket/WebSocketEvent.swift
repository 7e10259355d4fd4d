public import BelayCore
public import BelayTransport

/// What a WebSocket connection tells its app, in order, never of a generation that is over.
public enum WebSocketEvent: Hashable, Sendable {
    /// A generation opened, with the subprotocol the server chose.
    case opened(Generation, subprotocol: String?)
    /// A whole message of the open generation.
    case message(WebSocketMessage, Generation)
    /// A generation ended, by one cause. An attempt that never opened ends so too.
    case closed(CloseFacts)
}
