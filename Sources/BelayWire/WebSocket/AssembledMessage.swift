/// A whole message, put together from its fragments.
///
/// Source: RFC 6455 §5.6.
public struct AssembledMessage: Hashable, Sendable {
    /// What a message's bytes mean.
    public enum Kind: Hashable, Sendable {
        /// UTF-8.
        case text
        /// The application's own.
        case binary
    }

    /// What the bytes mean.
    public var kind: Kind

    /// The bytes; of an uncompressed text, valid UTF-8.
    public var payload: [UInt8]

    /// Still to be inflated, and a text still to be judged after that.
    public var isCompressed: Bool

    /// A message with every part given.
    public init(kind: Kind, payload: [UInt8], isCompressed: Bool = false) {
        self.kind = kind
        self.payload = payload
        self.isCompressed = isCompressed
    }

    /// A text message.
    public init(_ text: String) {
        self.init(kind: .text, payload: Array(text.utf8))
    }

    /// The payload as text.
    ///
    /// Asking a binary message is allowed: what is not UTF-8 becomes U+FFFD.
    public var text: String { String(decoding: payload, as: UTF8.self) }
}
