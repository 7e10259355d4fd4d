/// Bytes of one connection to what the peer said: frames taken, messages put together.
///
/// Judges also the frame that is only half there, so that bad UTF-8 or an oversize message fails
/// at the first byte that shows it. Source: RFC 6455 §5, §8.1.
public struct MessageDecoder: Sendable {
    /// Whether the peer's Close frame was taken.
    ///
    /// Whatever follows it is ignored (§5.5.1).
    public private(set) var isClosed = false

    /// Whether a frame's payload is half there: nothing but the rest of it can come next.
    package var isInsideFrame: Bool { decoder.unfinished != nil }

    /// Whether all that was taken is complete: no frame and no message is half here.
    ///
    /// A server of many idle connections lets the decoder go then, and makes another for the
    /// next bytes; only the offsets that a violation names count from there.
    package var isBetweenMessages: Bool {
        decoder.isBetweenFrames && assembler.isBetweenMessages
    }

    private var decoder: FrameDecoder
    private var assembler: MessageAssembler

    /// A decoder for what the endpoint in this role receives.
    public init(
        role: WebSocketRole, limits: WebSocketLimits = .default,
        compression: FrameDecoder.Compression = .none
    ) {
        decoder = FrameDecoder(role: role, limits: limits, compression: compression)
        assembler = MessageAssembler(limits: limits)
    }

    /// Takes the next bytes and appends what they complete.
    ///
    /// - Throws: `WebSocketViolation`. What was complete before it is in `elements` and is to be
    ///   handled first. The decoder is spent: every later call throws the same violation.
    public mutating func append(
        _ bytes: UnsafeRawBufferPointer, into elements: inout [MessageAssembler.Element]
    ) throws(WebSocketViolation) {
        do throws(WebSocketViolation) {
            try decode(bytes, into: &elements)
        } catch {
            decoder.fail(error)
            throw error
        }
    }

    /// Takes the next bytes, as the call with a buffer does.
    public mutating func append(
        _ bytes: [UInt8], into elements: inout [MessageAssembler.Element]
    ) throws(WebSocketViolation) {
        try bytes.withUnsafeBufferPointer { (buffer) throws(WebSocketViolation) in
            try append(UnsafeRawBufferPointer(buffer), into: &elements)
        }
    }

    /// The header at the front of `input`, of a frame that may be a message; nil if it is wrong.
    func header(at input: UnsafeRawBufferPointer) -> (header: FrameHeader, byteCount: Int)? {
        guard let parsed = decoder.header(at: input) else { return nil }
        return parsed.header.payloadCount <= assembler.limits.messageBytes ? parsed : nil
    }

    private mutating func decode(
        _ bytes: UnsafeRawBufferPointer, into elements: inout [MessageAssembler.Element]
    ) throws(WebSocketViolation) {
        var input = bytes
        while !isClosed, let frame = try decoder.next(from: &input) {
            guard let element = try assembler.append(frame, at: decoder.frameOffset) else {
                continue
            }
            if case .close = element { isClosed = true }
            elements.append(element)
        }
        guard let frame = decoder.unfinished else { return }
        do throws(WebSocketViolation.Fault) {
            try assembler.inspect(frame.header, frame.payload)
        } catch {
            throw WebSocketViolation(error, offset: decoder.frameOffset)
        }
    }
}
