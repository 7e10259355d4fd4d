/// Puts fragments together to messages and passes control frames on from between them.
///
/// Text is judged as it comes, so that a bad byte in the first fragment of a long message closes
/// the connection at once. Source: RFC 6455 §5.4 to §5.6.
public struct MessageAssembler: Sendable {
    /// What a peer said.
    public enum Element: Hashable, Sendable {
        /// A whole message.
        case message(AssembledMessage)
        /// A ping, to be answered by a pong with the same payload.
        case ping([UInt8])
        /// A pong, asked for or not.
        case pong([UInt8])
        /// The end of the peer's side; what comes after it is to be ignored.
        case close(CloseFrame)
    }

    /// A message whose last fragment has not come.
    private struct Unfinished: Sendable {
        var message: AssembledMessage
        var fragments: Int
    }

    let limits: WebSocketLimits
    private var unfinished: Unfinished?
    private var validator = UTF8Validator()

    /// How much of the frame at hand `inspect` has judged already.
    private var judgedBytes = 0

    /// An assembler for one direction of one connection.
    public init(limits: WebSocketLimits = .default) {
        self.limits = limits
    }

    /// Takes a frame; answers what it completes, nil for a fragment that completes nothing.
    ///
    /// - Parameter offset: Where the frame begins, for the violation to name.
    /// - Throws: `WebSocketViolation`. The assembler must not be used after it.
    public mutating func append(
        _ frame: consuming Frame, at offset: UInt64 = 0
    ) throws(WebSocketViolation) -> Element? {
        do throws(WebSocketViolation.Fault) {
            switch frame.opcode {
            case .ping: return .ping(frame.payload)
            case .pong: return .pong(frame.payload)
            case .close: return .close(try CloseFrame(payload: frame.payload))
            case .text, .binary, .continuation:
                return try appendData(frame).map { .message($0) }
            }
        } catch {
            throw WebSocketViolation(error, offset: offset)
        }
    }

    /// Whether no message is half here.
    var isBetweenMessages: Bool { unfinished == nil }

    /// Judges a frame before all of it has come: its place, its length, and a text's bytes so far.
    ///
    /// The whole frame must follow through `append`.
    mutating func inspect(
        _ header: FrameHeader, _ payload: [UInt8]
    ) throws(WebSocketViolation.Fault) {
        guard !header.opcode.isControl else { return }
        try checkPlace(of: header.opcode, byteCount: header.payloadCount)
        guard isText(header.opcode, isCompressed: header.isCompressed) else { return }
        try judge(payload)
        judgedBytes = payload.count
    }

    private mutating func appendData(
        _ frame: consuming Frame
    ) throws(WebSocketViolation.Fault) -> AssembledMessage? {
        try checkPlace(of: frame.opcode, byteCount: frame.payload.count)
        if isText(frame.opcode, isCompressed: frame.isCompressed) {
            try judge(frame.payload)
            judgedBytes = 0
            if frame.isFinal {
                guard validator.isComplete else { throw .textNotUTF8 }
                validator = UTF8Validator()
            }
        }
        guard unfinished != nil else {
            let message = AssembledMessage(
                kind: frame.opcode == .text ? .text : .binary, payload: frame.payload,
                isCompressed: frame.isCompressed)
            if frame.isFinal { return message }
            unfinished = Unfinished(message: message, fragments: 1)
            return nil
        }
        unfinished?.message.payload.append(contentsOf: frame.payload)
        unfinished?.fragments += 1
        guard frame.isFinal else { return nil }
        defer { unfinished = nil }
        return unfinished?.message
    }

    private func checkPlace(
        of opcode: Opcode, byteCount: Int
    ) throws(WebSocketViolation.Fault) {
        if let unfinished {
            guard opcode == .continuation else { throw .messageInsideMessage }
            guard unfinished.fragments < limits.fragments else {
                throw .tooManyFragments(maximum: limits.fragments)
            }
        } else if opcode == .continuation {
            throw .continuationWithoutMessage
        }
        let room = limits.messageBytes - (unfinished?.message.payload.count ?? 0)
        guard byteCount <= room else { throw .messageTooLong(maximum: limits.messageBytes) }
    }

    /// Whether the bytes of this frame are UTF-8 to be judged now, not after inflating.
    private func isText(_ opcode: Opcode, isCompressed: Bool) -> Bool {
        if let message = unfinished?.message {
            return message.kind == .text && !message.isCompressed
        }
        return opcode == .text && !isCompressed
    }

    private mutating func judge(_ payload: [UInt8]) throws(WebSocketViolation.Fault) {
        guard validator.append(payload[judgedBytes...]) else { throw .textNotUTF8 }
    }
}
