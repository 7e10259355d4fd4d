/// What a frame is for.
///
/// Source: RFC 6455 §5.2.
public enum Opcode: UInt8, Hashable, Sendable {
    /// A further fragment of the message before.
    case continuation = 0x0
    /// A text message, or its first fragment.
    case text = 0x1
    /// A binary message, or its first fragment.
    case binary = 0x2
    /// The last frame of its side.
    case close = 0x8
    /// Asks for a pong with the same payload.
    case ping = 0x9
    /// Answers a ping, or comes unasked.
    case pong = 0xA

    /// Whether it is Close, Ping or Pong, which may stand between the fragments of a message.
    public var isControl: Bool { rawValue & 0x8 != 0 }
}

/// Which side of a connection this endpoint is: only a client masks what it sends.
public enum WebSocketRole: Hashable, Sendable {
    /// Began the opening handshake.
    case client
    /// Answered the opening handshake.
    case server
}

/// One frame, without the mask that it travelled under.
///
/// Source: RFC 6455 §5.2.
public struct Frame: Hashable, Sendable {
    /// What it is for.
    public var opcode: Opcode

    /// The FIN bit: no further fragment of this message follows.
    public var isFinal: Bool

    /// The RSV1 bit: with permessage-deflate, the message that begins here is compressed.
    public var isCompressed: Bool

    /// The payload, unmasked.
    public var payload: [UInt8]

    /// The longest payload of a control frame, in bytes.
    public static let maximumControlBytes = 125

    /// A frame, by default a whole and uncompressed one.
    public init(
        _ opcode: Opcode, _ payload: [UInt8] = [], isFinal: Bool = true, isCompressed: Bool = false
    ) {
        self.opcode = opcode
        self.payload = payload
        self.isFinal = isFinal
        self.isCompressed = isCompressed
    }
}
