/// The part of a frame before its payload, and every rule that can be checked on it alone.
///
/// Source: RFC 6455 §5.2 to §5.5.
struct FrameHeader: Sendable {
    var opcode: Opcode
    var isFinal: Bool
    var isCompressed: Bool
    var maskingKey: MaskingKey?
    /// The length of the payload in bytes.
    var payloadCount: Int

    /// Who may send what, as the receiving side sees it.
    struct Rules: Sendable {
        var role: WebSocketRole
        var compression: FrameDecoder.Compression
        var frameBytes: Int
    }

    /// The header at the start of `bytes` and its own length, nil if it is not all there yet.
    ///
    /// Each byte is judged as soon as it is there: a header that cannot become right fails before
    /// its last byte has come, with the same fault for every chunking.
    static func parse(
        _ bytes: UnsafeRawBufferPointer, by rules: Rules
    ) throws(WebSocketViolation.Fault) -> (header: FrameHeader, byteCount: Int)? {
        guard bytes.count >= 1 else { return nil }
        var header = try FrameHeader(firstByte: bytes[0], by: rules)
        guard bytes.count >= 2 else { return nil }
        let isMasked = bytes[1] & 0x80 != 0
        // Only what a client sends is masked, and all of it (§5.1).
        switch (rules.role, isMasked) {
        case (.client, true): throw .maskedByServer
        case (.server, false): throw .notMaskedByClient
        case (.client, false), (.server, true): break
        }
        let shortLength = bytes[1] & 0x7F
        if header.opcode.isControl, shortLength > Frame.maximumControlBytes {
            throw .controlFrameTooLong
        }
        let keyStart = 2 + lengthByteCount(shortLength)
        guard bytes.count >= keyStart else { return nil }
        let length = try length(shortLength, extendedBy: bytes.part(2..<keyStart))
        // Before any memory is set aside for it: the length is only a claim.
        guard length <= UInt64(rules.frameBytes) else {
            throw .frameTooLong(maximum: rules.frameBytes)
        }
        header.payloadCount = Int(length)
        guard isMasked else { return (header, keyStart) }
        guard bytes.count >= keyStart + 4 else { return nil }
        header.maskingKey = MaskingKey(
            bytes[keyStart], bytes[keyStart + 1], bytes[keyStart + 2], bytes[keyStart + 3])
        return (header, keyStart + 4)
    }

    private init(firstByte: UInt8, by rules: Rules) throws(WebSocketViolation.Fault) {
        guard let opcode = Opcode(rawValue: firstByte & 0x0F) else {
            throw .unknownOpcode(firstByte & 0x0F)
        }
        self.opcode = opcode
        isFinal = firstByte & 0x80 != 0
        isCompressed = firstByte & 0x40 != 0
        payloadCount = 0
        guard firstByte & 0x30 == 0 else { throw .reservedBitSet }
        if isCompressed {
            // Only on the first frame of a message, and only if it was negotiated (RFC 7692 §6).
            guard rules.compression == .negotiated, opcode == .text || opcode == .binary else {
                throw .reservedBitSet
            }
        }
        if opcode.isControl, !isFinal { throw .fragmentedControlFrame }
    }

    private static func lengthByteCount(_ shortLength: UInt8) -> Int {
        switch shortLength {
        case 127: 8
        case 126: 2
        default: 0
        }
    }

    private static func length(
        _ shortLength: UInt8, extendedBy bytes: UnsafeRawBufferPointer
    ) throws(WebSocketViolation.Fault) -> UInt64 {
        if bytes.isEmpty { return UInt64(shortLength) }
        let length = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard length >> 63 == 0 else { throw .lengthBit63Set }
        let smallest: UInt64 = bytes.count == 2 ? 126 : 65_536
        guard length >= smallest else { throw .lengthNotMinimal }
        return length
    }
}
