/// An event's id, compared byte by byte.
///
/// `String` compares canonical equivalents as equal, and two events would count as one.
/// Never empty: an empty `id` field *clears* the cursor. Source: HTML, 9.2.6.
public struct EventID: Hashable, Sendable {
    /// The id in UTF-8.
    public let utf8: [UInt8]

    /// The id of a text; `nil` for an empty one, which names no event.
    public init?(_ text: String) {
        guard !text.utf8.isEmpty else { return nil }
        utf8 = Array(text.utf8)
    }

    /// Whether a request can say it in `Last-Event-ID`.
    ///
    /// A control byte cannot stand in a field; a server that sends one in an id is the only one
    /// who can know it again. Nor can blanks alone: those at the ends of a field's value are none
    /// of it, and nothing would be left. Source: RFC 9110 §5.5.
    public var canBeAskedFor: Bool { firstUnsayable == nil }

    /// The first byte that no request can say, by its offset; `nil` where all can be said.
    package var firstUnsayable: Int? {
        if utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return 0 }
        return utf8.firstIndex { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
    }

    /// Bytes that came from a `String` are valid UTF-8.
    public var text: String { String(decoding: utf8, as: UTF8.self) }

    /// Whether the bytes are the same.
    public static func == (a: EventID, b: EventID) -> Bool {
        a.utf8 == b.utf8
    }
}
