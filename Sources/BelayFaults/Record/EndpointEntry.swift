public import BelayCore

/// One thing that the endpoint saw or did.
///
/// It has no field that could carry a payload, a query, or a header value other than the cursor
/// (law 8).
public struct EndpointEntry: Hashable, Sendable {
    /// What was seen or done, in the order of a connection's life.
    public enum Event: Hashable, Sendable {
        /// A connection was accepted.
        case accepted
        /// A connection was reset at once: there were as many as the limit allows.
        case overLimit
        /// The head of a request was read.
        indirect case request(RequestSummary)
        /// The content of the request was read, of so many bytes; only where it has some.
        case bodyReceived(byteCount: Int)
        /// A head that cannot be read, answered with this status.
        case requestRefused(status: Int)
        /// The head of a response was sent.
        case response(status: Int)
        /// A whole event was sent, with this id.
        case eventSent(id: Int)
        /// Ping n came.
        case pingReceived(Int)
        /// The right pong to ping n was sent.
        case pongSent(Int)
        /// Pong n came, asked for or not.
        case pongReceived(Int)
        /// A message came, of so many bytes.
        case messageReceived(byteCount: Int)
        /// A message was sent, of so many bytes.
        case messageSent(byteCount: Int)
        /// A Close frame came; `nil` without a code.
        case closeReceived(code: UInt16?)
        /// A Close frame was sent; `nil` without a code.
        case closeSent(code: UInt16?)
        /// The client broke RFC 6455; the close code that answers it.
        case violation(code: UInt16)
        /// A rule of the plan, or a parameter of the query, struck.
        case faultStruck(Moment)
        /// FIN came: the client says no more.
        case finReceived
        /// RST came.
        case resetReceived
        /// FIN was sent.
        case finSent
        /// RST was sent.
        case resetSent
        /// The connection is over. Always the last of its connection.
        case ended
    }

    /// When, in milliseconds of the loop's monotonic clock: the line the clients' records use.
    public let at: Milliseconds
    /// The number of the connection, from 1 in order of accept.
    public let connection: Int
    /// What.
    public let event: Event

    /// An entry with every part given.
    public init(at: Milliseconds, connection: Int, _ event: Event) {
        self.at = at
        self.connection = connection
        self.event = event
    }
}

/// What is kept of a request.
public struct RequestSummary: Hashable, Sendable {
    /// The method: `GET`.
    public let method: String
    /// The path without the query, at most `textLimit` bytes of it.
    public let path: String
    /// The value of `Last-Event-ID`, at most `textLimit` bytes of it; `nil` if it was not sent.
    public let lastEventID: String?

    /// The most that is kept of a text, in bytes of UTF-8: requests must not fill the record.
    public static let textLimit = 256

    /// A summary; longer texts are cut.
    public init(method: String, path: String, lastEventID: String?) {
        self.method = Self.cut(method)
        self.path = Self.cut(path)
        self.lastEventID = lastEventID.map(Self.cut)
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > textLimit else { return text }
        return String(decoding: text.utf8.prefix(textLimit), as: UTF8.self)
    }
}
