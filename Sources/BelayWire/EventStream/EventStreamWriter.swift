/// Writes an event stream, for servers.
///
/// What it writes is read back as it was given. Source: HTML, 9.2.5.
public enum EventStreamWriter {
    /// Appends a whole event: id, type unless it is `message`, data, and the blank line.
    ///
    /// The data may hold line ends of any kind; each becomes a line of its own, so that a reader
    /// sees LF for all of them.
    /// - Throws: `EventStreamFieldError` when id or type hold what would end their line; then
    ///   nothing is appended.
    public static func append(
        data: String, type: String? = nil, id: String? = nil, to bytes: inout [UInt8]
    ) throws(EventStreamFieldError) {
        if let id { try check(id, in: .id) }
        if let type { try check(type, in: .event) }
        if let id { appendLine("id", Array(id.utf8)[...], to: &bytes) }
        if let type, !type.utf8.isEmpty, !type.utf8.elementsEqual("message".utf8) {
            appendLine("event", Array(type.utf8)[...], to: &bytes)
        }
        appendLines("data", data, to: &bytes)
        bytes.append(ASCII.lineFeed)
    }

    /// Appends a whole event.
    ///
    /// Its `lastEventID` is not written, only the id of its own.
    ///
    /// - Throws: as the call with parts does.
    public static func append(
        _ event: ServerSentEvent, to bytes: inout [UInt8]
    ) throws(EventStreamFieldError) {
        try append(data: event.data, type: event.type, id: event.id, to: &bytes)
    }

    /// Appends a comment, one line for each of its lines.
    ///
    /// Servers send them as proof of life.
    public static func append(comment: String, to bytes: inout [UInt8]) {
        appendLines("", comment, to: &bytes)
    }

    /// Appends the wait before a reconnect, in milliseconds.
    ///
    /// No blank line is needed after it.
    public static func append(reconnectionTime: UInt64, to bytes: inout [UInt8]) {
        appendLine("retry", Array(String(reconnectionTime).utf8)[...], to: &bytes)
    }

    private static func check(
        _ value: String, in field: EventStreamFieldError.Field
    ) throws(EventStreamFieldError) {
        var offset = 0
        for byte in value.utf8 {
            switch byte {
            case ASCII.nul, ASCII.carriageReturn, ASCII.lineFeed:
                throw EventStreamFieldError(field: field, byte: byte, offset: offset)
            default:
                offset += 1
            }
        }
    }

    private static func appendLines(_ name: String, _ text: String, to bytes: inout [UInt8]) {
        let text = Array(text.utf8)
        var start = 0
        while true {
            let end = text.withUnsafeBytes { EventStreamLines.firstEnd(in: $0, from: start) }
            appendLine(name, text[start..<end], to: &bytes)
            guard end < text.count else { return }
            let isPair = text[end...].starts(with: [ASCII.carriageReturn, ASCII.lineFeed])
            start = end + (isPair ? 2 : 1)
        }
    }

    private static func appendLine(
        _ name: String, _ value: ArraySlice<UInt8>, to bytes: inout [UInt8]
    ) {
        bytes.append(contentsOf: name.utf8)
        bytes.append(ASCII.colon)
        // The reader takes one space away, so that a value may begin with one of its own.
        if !value.isEmpty { bytes.append(ASCII.space) }
        bytes.append(contentsOf: value)
        bytes.append(ASCII.lineFeed)
    }
}

/// A value that would end its own line, and so could forge fields and events.
public struct EventStreamFieldError: Error, Hashable, Sendable {
    /// The fields whose values are checked.
    public enum Field: Hashable, Sendable {
        /// The event type.
        case event
        /// The event id.
        case id
    }

    /// The field whose value was refused.
    public let field: Field

    /// The byte at fault: NUL, CR or LF.
    public let byte: UInt8

    /// Where it stands in the value's UTF-8, counted from 0.
    public let offset: Int

    /// An error with every part given.
    public init(field: Field, byte: UInt8, offset: Int) {
        self.field = field
        self.byte = byte
        self.offset = offset
    }
}
