public import BelayCore

/// Opens WebSocket connections. Source: RFC 6455.
public protocol WebSocketTransport: Transport
where Request == WebSocketRequest, Payload == WebSocketMessage, Channel == any WebSocketChannel {}

/// One WebSocket connection.
public protocol WebSocketChannel: TransportChannel {
    /// Sends a message; `sent(number)` follows when its bytes were given to the system.
    ///
    /// Call only between `opened` and the end; numbers are the caller's, and rise.
    func send(_ message: WebSocketMessage, number: UInt64)

    /// Sends a ping; `pingHandedOver(number)` follows, then `pong(number)` at most once.
    func ping(_ number: UInt32)

    /// Begins the closing handshake; `ended` follows when the peer answered and closed.
    ///
    /// The caller keeps the deadline and aborts. Source: RFC 6455 §7.1.2.
    func close(code: UInt16, reason: String)

    /// The Close frames that travelled so far. Asked once more before `abort`.
    var closeFrames: CloseFrames { get }
}

/// What a WebSocket connection is opened with.
public struct WebSocketRequest: Hashable, Sendable {
    /// Where to: `ws` or `wss`. Another ends the attempt for good, `requestInvalid(.url)`.
    public var url: ConnectionURL
    /// Offered in this order: tokens, each once. Others end the attempt for good, with
    /// `requestInvalid(.subprotocol)`. Source: RFC 6455 §1.9, §4.1.
    public var subprotocols: [String]
    /// Further request fields, in order: credentials, origin.
    public var fields: [RequestField]

    /// A request to `url`.
    public init(url: ConnectionURL, subprotocols: [String] = [], fields: [RequestField] = []) {
        self.url = url
        self.subprotocols = subprotocols
        self.fields = fields
    }
}

/// A whole message. Source: RFC 6455 §5.6.
public enum WebSocketMessage: Hashable, Sendable {
    /// UTF-8 text.
    case text(String)
    /// Bytes.
    case binary([UInt8])

    /// The payload's length in bytes, as limits and evidence count it.
    public var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        }
    }
}
