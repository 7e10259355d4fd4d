/// Takes frames out of the bytes of one connection, however they are chunked.
///
/// The payload is copied once, into the frame; the rest of a chunk never is. Source: RFC 6455 §5.
public struct FrameDecoder: Sendable {
    /// Whether RSV1 has a meaning on this connection.
    public enum Compression: Hashable, Sendable {
        /// RSV1 is a violation.
        case none
        /// permessage-deflate was agreed on: RSV1 may stand on the first frame of a message.
        case negotiated
    }

    /// Where the frame that was taken last, or is being taken, begins in the stream.
    public private(set) var frameOffset: UInt64 = 0

    /// The header of the frame whose payload is coming.
    private(set) var header: FrameHeader?

    /// The payload as far as it has come, unmasked.
    private(set) var payload: [UInt8] = []

    private let rules: FrameHeader.Rules

    /// A header that is not all there yet.
    private var partialHeader: [UInt8] = []

    /// The bytes taken so far.
    private var offset: UInt64 = 0

    private var failure: WebSocketViolation?

    /// What may be set aside at once for a payload that is only announced.
    private static let trustedReservation = 64 << 10

    /// A decoder for what the endpoint in this role receives.
    public init(
        role: WebSocketRole, limits: WebSocketLimits = .default, compression: Compression = .none
    ) {
        rules = FrameHeader.Rules(
            role: role, compression: compression, frameBytes: limits.frameBytes)
    }

    /// Takes one frame from the front of `input`, which shrinks by what was used.
    ///
    /// Call it until it answers nil: then the input is empty and a frame may be half there.
    /// - Throws: `WebSocketViolation`, as early as a byte shows it. The decoder is spent: every
    ///   later call throws the same violation.
    public mutating func next(
        from input: inout UnsafeRawBufferPointer
    ) throws(WebSocketViolation) -> Frame? {
        if let failure { throw failure }
        if header == nil {
            do throws(WebSocketViolation.Fault) {
                try takeHeader(from: &input)
            } catch {
                let violation = WebSocketViolation(error, offset: frameOffset)
                fail(violation)
                throw violation
            }
        }
        guard let header else { return nil }
        takePayload(of: header, from: &input)
        guard payload.count == header.payloadCount else { return nil }
        self.header = nil
        var whole: [UInt8] = []
        swap(&whole, &payload)
        return Frame(
            header.opcode, whole, isFinal: header.isFinal, isCompressed: header.isCompressed)
    }

    /// Takes every whole frame from `bytes` and appends it to `frames`.
    ///
    /// - Throws: as `next(from:)` does; the frames before the violation are in `frames`.
    public mutating func append(
        _ bytes: UnsafeRawBufferPointer, into frames: inout [Frame]
    ) throws(WebSocketViolation) {
        var input = bytes
        while let frame = try next(from: &input) { frames.append(frame) }
    }

    /// Takes every whole frame, as the call with a buffer does.
    public mutating func append(
        _ bytes: [UInt8], into frames: inout [Frame]
    ) throws(WebSocketViolation) {
        try bytes.withUnsafeBufferPointer { (buffer) throws(WebSocketViolation) in
            try append(UnsafeRawBufferPointer(buffer), into: &frames)
        }
    }

    /// What was taken breaks a rule: no frame follows, only this violation.
    mutating func fail(_ violation: WebSocketViolation) {
        failure = violation
    }

    private mutating func takeHeader(
        from input: inout UnsafeRawBufferPointer
    ) throws(WebSocketViolation.Fault) {
        if partialHeader.isEmpty {
            frameOffset = offset
            if let (parsed, count) = try FrameHeader.parse(input, by: rules) {
                take(count, from: &input)
                header = parsed
                return
            }
        }
        // At most 14 times: a header that more bytes do not complete does not exist.
        while let byte = input.first {
            partialHeader.append(byte)
            take(1, from: &input)
            if let parsed = try parsePartialHeader() {
                header = parsed
                partialHeader.removeAll(keepingCapacity: true)
                return
            }
        }
    }

    private func parsePartialHeader() throws(WebSocketViolation.Fault) -> FrameHeader? {
        try partialHeader.withUnsafeBufferPointer {
            (buffer) throws(WebSocketViolation.Fault) -> FrameHeader? in
            try FrameHeader.parse(UnsafeRawBufferPointer(buffer), by: rules)?.header
        }
    }

    private mutating func takePayload(
        of header: FrameHeader, from input: inout UnsafeRawBufferPointer
    ) {
        let start = payload.count
        let count = min(header.payloadCount - start, input.count)
        guard count > 0 else { return }
        if start == 0 {
            // What is there, and a little of what is promised: a length alone sets nothing aside.
            payload.reserveCapacity(
                max(count, min(header.payloadCount, Self.trustedReservation)))
        }
        payload.append(contentsOf: input.part(0..<count))
        take(count, from: &input)
        guard let key = header.maskingKey else { return }
        payload.withUnsafeMutableBytes { bytes in
            key.apply(to: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]), at: start)
        }
    }

    private mutating func take(_ count: Int, from input: inout UnsafeRawBufferPointer) {
        input = input.part(count..<input.count)
        offset += UInt64(count)
    }
}
