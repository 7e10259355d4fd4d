import BelayWire
import CZlib

/// Inflates the messages of one sender, in their order. Source: RFC 7692 §7.2.2.
final class Inflater {
    /// What a sender leaves out behind each message (RFC 7692 §7.2.1).
    static let tail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]
    /// What zlib may write before the limit is looked at.
    static let step = 16 << 10

    private let zlib: UnsafeMutablePointer<z_stream>

    /// An inflater for a window of so many bits; traps where the system has no memory.
    init(windowBits: Int) {
        // At an address of its own, since zlib keeps it.
        zlib = .allocate(capacity: 1)
        zlib.initialize(to: z_stream())
        // Negative: DEFLATE data without a header of zlib's own.
        let status = inflateInit2_(
            zlib, -Int32(windowBits), ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib cannot begin to inflate: \(status)")
    }

    deinit {
        inflateEnd(zlib)
        zlib.deinitialize(count: 1)
        zlib.deallocate()
    }

    /// The message in `payload`, at most `limit` bytes: no more is kept, whatever was sent.
    ///
    /// - Throws: `messageTooLong` or `compressedDataMalformed`. It must not be used after it.
    func inflate(
        _ payload: [UInt8], limit: Int
    ) throws(WebSocketViolation.Fault) -> [UInt8] {
        var output: [UInt8] = []
        for input in [payload, Self.tail] {
            if let fault = append(input, to: &output, limit: limit) { throw fault }
        }
        // A message that was cut takes the tail for a part of itself: no block ends then.
        guard zlib.pointee.data_type & Self.isBetweenBlocks != 0 else {
            throw .compressedDataMalformed
        }
        return output
    }

    /// The bit that zlib documents for "just behind the end of a block".
    private static let isBetweenBlocks: Int32 = 128

    private func append(
        _ input: [UInt8], to output: inout [UInt8], limit: Int
    ) -> WebSocketViolation.Fault? {
        input.withUnsafeBufferPointer { input in
            // It is only read; zlib's header leaves the const out.
            zlib.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            zlib.pointee.avail_in = UInt32(input.count)
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.step) { room in
                while true {
                    zlib.pointee.next_out = room.baseAddress
                    zlib.pointee.avail_out = UInt32(room.count)
                    let status = CZlib.inflate(zlib, Z_SYNC_FLUSH)
                    let count = room.count - Int(zlib.pointee.avail_out)
                    guard output.count + count <= limit else {
                        return .messageTooLong(maximum: limit)
                    }
                    output.append(contentsOf: room[..<count])
                    let isRead = zlib.pointee.avail_in == 0
                    switch status {
                    case Z_OK where isRead && count < room.count: return nil
                    case Z_OK: continue
                    case Z_STREAM_END:
                        // The last block of DEFLATE data, which need not be the message's: what
                        // follows may refer back to it (RFC 7692 §7.2.3.4).
                        inflateResetKeep(zlib)
                        if isRead { return nil }
                    case Z_BUF_ERROR where isRead: return nil
                    default: return .compressedDataMalformed
                    }
                }
            }
        }
    }
}
