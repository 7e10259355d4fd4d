/// A request header field of the application's own.
///
/// Refused when built, so that no value can end its line and begin another field.
/// Source: RFC 9110 §5.5.
public struct RequestField: Hashable, Sendable {
    /// The field's name: a token. Source: RFC 9110 §5.6.2.
    public let name: String
    /// The field's value.
    public let value: String

    /// Why a field cannot be sent.
    public enum Invalid: Error, Hashable {
        /// The name is empty or holds a byte that no token has; its offset in UTF-8.
        case name(offset: Int)
        /// The value holds a control byte; its offset in UTF-8.
        case value(offset: Int)
    }

    /// A field, if it can stand in a request head.
    public init(_ name: String, _ value: String) throws(Invalid) {
        if let offset = Self.firstOffset(in: name, where: { !$0.isTokenByte }) {
            throw .name(offset: offset)
        }
        guard !name.isEmpty else { throw .name(offset: 0) }
        if let offset = Self.firstOffset(in: value, where: Self.isControlByte) {
            throw .value(offset: offset)
        }
        self.name = name
        self.value = value
    }

    private static func firstOffset(in text: String, where isWrong: (UInt8) -> Bool) -> Int? {
        for (offset, byte) in text.utf8.enumerated() where isWrong(byte) { return offset }
        return nil
    }

    private static func isControlByte(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != UInt8(ascii: "\t") || byte == 0x7F
    }
}

extension UInt8 {
    /// Whether it can stand in a token. Source: RFC 9110 §5.6.2.
    var isTokenByte: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default:
            "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}
