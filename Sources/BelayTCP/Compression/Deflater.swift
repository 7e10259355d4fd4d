import CZlib

/// Compresses messages for one receiver, in their order. Source: RFC 7692 §7.2.1.
final class Deflater {
    private let zlib: UnsafeMutablePointer<z_stream>

    /// A deflater whose references reach back so many bits; traps where the system has no memory.
    init(windowBits: Int) {
        // At an address of its own, since zlib keeps it.
        zlib = .allocate(capacity: 1)
        zlib.initialize(to: z_stream())
        // zlib has no raw window of 8 bits. Codes without references fit into any window.
        let isShortest = windowBits < Self.shortestWindow
        let bits = max(windowBits, Self.shortestWindow)
        // Negative: DEFLATE data without a header of zlib's own. The memory for matches is as
        // much as that for the window, as in zlib's own default of 15 bits and level 8.
        let status = deflateInit2_(
            zlib, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -Int32(bits), Int32(bits - 7),
            isShortest ? Z_HUFFMAN_ONLY : Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib cannot begin to compress: \(status)")
    }

    private static let shortestWindow = 9

    deinit {
        deflateEnd(zlib)
        zlib.deinitialize(count: 1)
        zlib.deallocate()
    }

    /// `message` compressed, without the tail that the receiver adds.
    func deflate(_ message: UnsafeRawBufferPointer) -> [UInt8] {
        // zlib flushes nothing twice: an empty message is an empty block.
        guard !message.isEmpty else { return [0x00] }
        var output: [UInt8] = []
        let input = message.assumingMemoryBound(to: UInt8.self)
        // It is only read; zlib's header leaves the const out.
        zlib.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        zlib.pointee.avail_in = UInt32(input.count)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Inflater.step) { room in
            repeat {
                zlib.pointee.next_out = room.baseAddress
                zlib.pointee.avail_out = UInt32(room.count)
                let status = CZlib.deflate(zlib, Z_SYNC_FLUSH)
                precondition(status == Z_OK, "zlib cannot compress: \(status)")
                output.append(contentsOf: room[..<(room.count - Int(zlib.pointee.avail_out))])
            } while zlib.pointee.avail_out == 0
        }
        precondition(output.suffix(4) == Inflater.tail[...], "zlib did not end with its flush")
        output.removeLast(Inflater.tail.count)
        return output
    }
}
