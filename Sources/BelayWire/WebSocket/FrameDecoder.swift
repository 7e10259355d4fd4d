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

    private enum State: Sendable {
        /// Between two frames.
        case start
        /// In a header of which these bytes have come.
        case header([UInt8])
        /// In a payload, as far as it has come, unmasked.
        case payload(FrameHeader, [UInt8])
        /// A rule was broken: no frame follows.
        case failed(WebSocketViolation)
    }

    /// Where the frame that was taken last, or is being taken, begins in the stream.
    public private(set) var frameOffset: UInt64 = 0

    private let rules: FrameHeader.Rules
    private var state = State.start

    /// The bytes taken so far.
    private var offset: UInt64 = 0

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
        switch state {
        case .start, .header:
            do throws(WebSocketViolation.Fault) {
                guard let header = try takeHeader(from: &input) else { return nil }
                var payload: [UInt8] = []
                return takePayload(of: header, behind: &payload, from: &input)
            } catch {
                let violation = WebSocketViolation(error, offset: frameOffset)
                fail(violation)
                throw violation
            }
        case .payload(let header, var payload):
            // Taken out while it grows: two owners would make a copy of it.
            state = .start
            return takePayload(of: header, behind: &payload, from: &input)
        case .failed(let violation):
            throw violation
        }
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

    /// Whether no frame is half here.
    var isBetweenFrames: Bool {
        if case .start = state { true } else { false }
    }

    /// The header at the front of `input`; nil if it is not all there, or wrong.
    func header(at input: UnsafeRawBufferPointer) -> (header: FrameHeader, byteCount: Int)? {
        try? FrameHeader.parse(input, by: rules)
    }

    /// The frame whose payload is coming, as far as it has come.
    var unfinished: (header: FrameHeader, payload: [UInt8])? {
        if case .payload(let header, let payload) = state { (header, payload) } else { nil }
    }

    /// What was taken breaks a rule: no frame follows, only this violation.
    mutating func fail(_ violation: WebSocketViolation) {
        state = .failed(violation)
    }

    private mutating func takeHeader(
        from input: inout UnsafeRawBufferPointer
    ) throws(WebSocketViolation.Fault) -> FrameHeader? {
        var bytes: [UInt8] = []
        if case .header(let begun) = state {
            bytes = begun
        } else {
            frameOffset = offset
            if let (header, count) = try FrameHeader.parse(input, by: rules) {
                take(count, from: &input)
                return header
            }
        }
        // At most 14 times: a header that more bytes do not complete does not exist.
        while let byte = input.first {
            bytes.append(byte)
            take(1, from: &input)
            if let header = try parse(bytes) {
                state = .start
                return header
            }
        }
        state = bytes.isEmpty ? .start : .header(bytes)
        return nil
    }

    private func parse(_ bytes: [UInt8]) throws(WebSocketViolation.Fault) -> FrameHeader? {
        try bytes.withUnsafeBufferPointer {
            (buffer) throws(WebSocketViolation.Fault) -> FrameHeader? in
            try FrameHeader.parse(UnsafeRawBufferPointer(buffer), by: rules)?.header
        }
    }

    private mutating func takePayload(
        of header: FrameHeader, behind payload: inout [UInt8],
        from input: inout UnsafeRawBufferPointer
    ) -> Frame? {
        let start = payload.count
        let count = min(header.payloadCount - start, input.count)
        if start == 0, count > 0 {
            // What is there, and a little of what is promised: a length alone sets nothing aside.
            payload.reserveCapacity(
                max(count, min(header.payloadCount, Self.trustedReservation)))
        }
        payload.append(contentsOf: input.part(0..<count))
        take(count, from: &input)
        if let key = header.maskingKey {
            payload.withUnsafeMutableBytes { bytes in
                key.apply(to: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]), at: start)
            }
        }
        guard payload.count == header.payloadCount else {
            state = .payload(header, payload)
            return nil
        }
        return Frame(
            header.opcode, payload, isFinal: header.isFinal, isCompressed: header.isCompressed)
    }

    private mutating func take(_ count: Int, from input: inout UnsafeRawBufferPointer) {
        input = input.part(count..<input.count)
        offset += UInt64(count)
    }
}
