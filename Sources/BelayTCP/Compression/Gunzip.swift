import CZlib

/// Inflates a response's content as it comes. Source: RFC 1952, RFC 9110 §8.4.1.3.
///
/// It gives what the sender flushed, as soon as it was flushed, and no more at a time than its
/// caller has room for: a few bytes may stand for a thousand times as many.
final class Gunzip {
    /// The data are not in this coding.
    struct Malformed: Error {}

    private let zlib: UnsafeMutablePointer<z_stream>
    private var input: [UInt8] = []
    private var offset = 0
    private var isFull = false
    /// Nothing came yet, or all that came is whole members.
    private(set) var isComplete = true

    /// At the start of the content; traps where the system has no memory.
    init() {
        zlib = .allocate(capacity: 1)
        zlib.initialize(to: z_stream())
        // 16 asks for the gzip wrapper, with its check sum.
        let status = inflateInit2_(
            zlib, MAX_WBITS + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib cannot begin to inflate: \(status)")
    }

    deinit {
        inflateEnd(zlib)
        zlib.deinitialize(count: 1)
        zlib.deallocate()
    }

    /// Whether `next` may give something.
    var hasMore: Bool { isFull || offset < input.count }

    /// Adds what came.
    func append(_ bytes: [UInt8]) {
        input = offset == input.count ? bytes : Array(input[offset...]) + bytes
        offset = 0
    }

    /// The next bytes of the content, at most `limit`; none where more has to come first.
    func next(atMost limit: Int) throws(Malformed) -> [UInt8] {
        var status = Z_OK
        let output = [UInt8](unsafeUninitializedCapacity: limit) { room, count in
            status = inflate(into: room, count: &count)
            isFull = count == limit
        }
        guard status == Z_OK || status == Z_BUF_ERROR else { throw Malformed() }
        return output
    }

    private func inflate(into room: UnsafeMutableBufferPointer<UInt8>, count: inout Int) -> Int32 {
        input.withUnsafeBufferPointer { input in
            // It is only read; zlib's header leaves the const out.
            zlib.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                .map { $0 + offset }
            zlib.pointee.avail_in = UInt32(input.count - offset)
            zlib.pointee.next_out = room.baseAddress
            zlib.pointee.avail_out = UInt32(room.count)
            if zlib.pointee.avail_in > 0 { isComplete = false }
            var status = CZlib.inflate(zlib, Z_SYNC_FLUSH)
            while status == Z_STREAM_END {
                // Members may follow each other (RFC 1952 §2.2).
                inflateReset(zlib)
                isComplete = zlib.pointee.avail_in == 0
                status = isComplete ? Z_OK : CZlib.inflate(zlib, Z_SYNC_FLUSH)
            }
            offset = input.count - Int(zlib.pointee.avail_in)
            count = room.count - Int(zlib.pointee.avail_out)
            return status
        }
    }
}
