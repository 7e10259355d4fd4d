import BelayCore
import BelayTransport

/// What a channel needs of a session that holds one data task. Events come on any queue.
protocol EventStreamTask: AnyObject, Sendable {
    /// Sends the request.
    func resume()
    /// Takes fewer bytes from the peer, or takes them again. What is on its way still comes, and
    /// some systems take the first for a wish only.
    func setReading(_ reading: Reading)
    /// Ends everything at once and lets the session and its delegate go.
    func invalidate()
}

/// What the delegate of such a session is told.
enum EventStreamTaskEvent: Hashable, Sendable {
    /// The response's head.
    case responded(EventStreamHead)
    /// The next bytes of the body.
    case received([UInt8])
    /// The task is over, or its whole session.
    case completed(SessionCompletion)
}

/// What of a response's head decides whether it is an event stream.
struct EventStreamHead: Hashable, Sendable {
    /// 100 to 599.
    var status: UInt16
    /// The field `Content-Type`, as it came.
    var contentType: String?
    /// The field `Content-Encoding`, as it came.
    var contentEncoding: String?
    /// The field `Location`, as it came.
    var location: String?
    /// For how many milliseconds the server asks to stay away. Source: RFC 9110 §10.2.3.
    var retryAfter: Milliseconds?

    /// Whether one of the request's `staleCursorFields` came.
    var isCursorTooOld = false

    /// Whether gzip was asked for. The session inflates it, and leaves the field as it came.
    var acceptsCompression = false

    /// Why it opens nothing; `nil` where it opens. Source: HTML, 9.2.2.
    var refusal: CloseCause? {
        guard !isCursorTooOld else { return .cursorTooOld }
        return switch status {
        case 200: isEventStream ? nil : .wrongContentType
        case 204: .toldToStop
        default: .handshakeRefused(status: status)
        }
    }

    /// Whether it is an event stream, with whatever parameters, and not in a coding for which we
    /// never asked.
    private var isEventStream: Bool {
        let type = contentType?.prefix { $0 != ";" && $0 != " " && $0 != "\t" }
        guard type?.lowercased() == "text/event-stream" else { return false }
        return switch contentEncoding?.lowercased() {
        case nil, "identity": true
        case "gzip", "x-gzip": acceptsCompression
        default: false
        }
    }
}

/// What makes a session with one task. It throws where the request cannot be sent as it is.
typealias MakeEventStreamTask =
    @Sendable (
        EventStreamRequest, _ report: @escaping @Sendable (EventStreamTaskEvent) -> Void
    ) throws(SessionFailure) -> any EventStreamTask
