import CZlib

/// Inflates as slowly as can be: zlib gets one byte at a time and gives one byte at a time, so that
/// no size of a buffer decides anything. Source: RFC 7692 §7.2.2.
final class PlainInflater {
    enum Outcome {
        case message([UInt8])
        case tooLong
        case malformed
    }

    /// Whether the last byte that zlib took or gave ended a block.
    private var isBehindBlock = true
    private let zlib = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    init(windowBits: Int) {
        zlib.initialize(to: z_stream())
        let status = inflateInit2_(
            zlib, -Int32(windowBits), ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib cannot begin: \(status)")
    }

    deinit {
        inflateEnd(zlib)
        zlib.deallocate()
    }

    func inflate(_ payload: [UInt8], limit: Int) -> Outcome {
        var message: [UInt8] = []
        for byte in payload + [0, 0, 0xFF, 0xFF] {
            var byte = byte
            let fault = withUnsafeMutablePointer(to: &byte) { input -> Outcome? in
                zlib.pointee.next_in = input
                zlib.pointee.avail_in = 1
                return drain(into: &message, limit: limit)
            }
            if let fault { return fault }
        }
        // A cut message does not end behind a block.
        return isBehindBlock ? .message(message) : .malformed
    }

    /// Lets zlib write until it wants another byte.
    private func drain(into message: inout [UInt8], limit: Int) -> Outcome? {
        while true {
            var byte: UInt8 = 0
            let hadInput = zlib.pointee.avail_in > 0
            let (status, hasWritten) = withUnsafeMutablePointer(to: &byte) { output in
                zlib.pointee.next_out = output
                zlib.pointee.avail_out = 1
                return (CZlib.inflate(zlib, Z_SYNC_FLUSH), zlib.pointee.avail_out == 0)
            }
            // Bit 7 of data_type. A call that has nothing to do clears it.
            if hadInput || hasWritten { isBehindBlock = zlib.pointee.data_type & 128 != 0 }
            if hasWritten {
                guard message.count < limit else { return .tooLong }
                message.append(byte)
            }
            switch status {
            case Z_OK where zlib.pointee.avail_in == 0 && !hasWritten: return nil
            case Z_OK: continue
            case Z_STREAM_END:
                inflateResetKeep(zlib)
                if zlib.pointee.avail_in == 0 { return nil }
            case Z_BUF_ERROR where zlib.pointee.avail_in == 0: return nil
            default: return .malformed
            }
        }
    }
}
