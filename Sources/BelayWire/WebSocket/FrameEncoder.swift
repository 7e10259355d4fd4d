/// Writes frames.
///
/// Source: RFC 6455 §5.2.
///
/// It writes what it is given, also what breaks the protocol: the endpoint's faults are written
/// with it. What an application may send is checked where it is asked to send.
public enum FrameEncoder {
    /// Appends a frame to what will be sent.
    ///
    /// - Parameter key: A fresh key from a client, nil from a server.
    public static func append(_ frame: Frame, maskedWith key: MaskingKey?, to bytes: inout [UInt8])
    {
        frame.payload.withUnsafeBytes { payload in
            append(
                frame.opcode, payload, isFinal: frame.isFinal, isCompressed: frame.isCompressed,
                maskedWith: key, to: &bytes)
        }
    }

    /// Appends a frame whose payload is not in an array of its own.
    ///
    /// - Parameter key: A fresh key from a client, nil from a server.
    public static func append(
        _ opcode: Opcode, _ payload: UnsafeRawBufferPointer, isFinal: Bool = true,
        isCompressed: Bool = false, maskedWith key: MaskingKey?, to bytes: inout [UInt8]
    ) {
        let first = opcode.rawValue | (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0)
        bytes.append(first)
        appendLength(payload.count, maskBit: key == nil ? 0 : 0x80, to: &bytes)
        if let key { append(key.word.littleEndian, to: &bytes) }
        let start = bytes.count
        bytes.append(contentsOf: payload)
        guard let key else { return }
        bytes.withUnsafeMutableBytes { all in
            key.apply(to: UnsafeMutableRawBufferPointer(rebasing: all[start...]))
        }
    }

    /// The fewest bytes that hold the length, as §5.2 demands.
    private static func appendLength(_ count: Int, maskBit: UInt8, to bytes: inout [UInt8]) {
        switch count {
        case ...125:
            bytes.append(maskBit | UInt8(count))
        case ...65_535:
            bytes.append(maskBit | 126)
            append(UInt16(count).bigEndian, to: &bytes)
        default:
            bytes.append(maskBit | 127)
            append(UInt64(count).bigEndian, to: &bytes)
        }
    }

    /// Appends a number as it stands in memory.
    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
    }
}
