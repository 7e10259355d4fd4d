/// A peer that broke RFC 6455 or a limit: what it did, where, and the code to close with.
///
/// The answer is to *fail the connection*: send a Close frame with `closeCode`, read no more.
public struct WebSocketViolation: Error, Hashable, Sendable {
    /// What the peer did.
    public let fault: Fault

    /// Where the frame at fault begins, in bytes after the opening handshake, counted from 0.
    public let offset: UInt64

    /// A violation with both parts given.
    public init(_ fault: Fault, offset: UInt64) {
        self.fault = fault
        self.offset = offset
    }

    /// The code to answer with: 1002, 1007, 1008 or 1009.
    public var closeCode: CloseCode { fault.closeCode }
}

extension WebSocketViolation {
    /// What a peer can do wrong, in the order in which a frame is read.
    public enum Fault: Error, Hashable, Sendable {
        /// An opcode of the reserved ranges 3 to 7 and B to F.
        case unknownOpcode(UInt8)
        /// RSV2 or RSV3; or RSV1 where no extension, or the wrong frame, gives it a meaning.
        case reservedBitSet
        /// A Ping, Pong or Close without FIN.
        case fragmentedControlFrame
        /// A server masked a frame.
        case maskedByServer
        /// A client did not mask a frame.
        case notMaskedByClient
        /// A Ping, Pong or Close over 125 bytes.
        case controlFrameTooLong
        /// The highest bit of a 64-bit length.
        case lengthBit63Set
        /// A length in more bytes than it needs.
        case lengthNotMinimal
        /// A frame over the limit, in bytes.
        case frameTooLong(maximum: Int)
        /// A continuation without a message to continue.
        case continuationWithoutMessage
        /// A new message inside a fragmented one.
        case messageInsideMessage
        /// A message over the limit, in bytes.
        case messageTooLong(maximum: Int)
        /// A message in more fragments than the limit.
        case tooManyFragments(maximum: Int)
        /// A compressed message that is no DEFLATE data.
        case compressedDataMalformed
        /// A text that is not, or cannot become, UTF-8.
        case textNotUTF8
        /// A Close payload of one byte.
        case closePayloadTooShort
        /// A Close code that may not be sent.
        case closeCodeNotAllowed(CloseCode)
        /// A Close reason that is not UTF-8.
        case closeReasonNotUTF8

        /// The code to answer with.
        ///
        /// Source: RFC 6455 §7.4.1.
        public var closeCode: CloseCode {
            switch self {
            case .compressedDataMalformed, .textNotUTF8, .closeReasonNotUTF8:
                .invalidFramePayloadData
            case .frameTooLong, .messageTooLong:
                .messageTooBig
            case .tooManyFragments:
                .policyViolation
            case .unknownOpcode, .reservedBitSet, .fragmentedControlFrame, .maskedByServer,
                .notMaskedByClient, .controlFrameTooLong, .lengthBit63Set, .lengthNotMinimal,
                .continuationWithoutMessage, .messageInsideMessage, .closePayloadTooShort,
                .closeCodeNotAllowed:
                .protocolError
            }
        }
    }
}
