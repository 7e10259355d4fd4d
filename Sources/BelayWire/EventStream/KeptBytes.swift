/// Bytes that are kept from chunks which have gone, in memory that stays for the next ones.
///
/// An array with a count of its own: to empty it costs nothing, and what fits into the bytes that
/// were there before is copied without asking for room. Streams in small chunks live from that.
struct KeptBytes: Sendable {
    /// What may stay for the next bytes.
    ///
    /// A stream has a usual size of event, and one large event must not hold its memory for the
    /// life of the connection.
    static let retainedCapacity = 64 << 10

    /// The first `count` are kept; those behind them are left from earlier.
    private(set) var bytes: [UInt8] = []
    private(set) var count = 0

    @inline(__always)
    mutating func append(_ more: UnsafeRawBufferPointer) {
        let end = count + more.count
        guard end <= bytes.count else { return grow(by: more) }
        bytes.withUnsafeMutableBytes { bytes in
            UnsafeMutableRawBufferPointer(rebasing: bytes[count..<end]).copyMemory(from: more)
        }
        count = end
    }

    mutating func append(_ byte: UInt8) {
        withUnsafeBytes(of: byte) { append($0) }
    }

    @inline(__always)
    mutating func clear() {
        if bytes.capacity > Self.retainedCapacity { bytes = [] }
        count = 0
    }

    @inline(never)
    private mutating func grow(by more: UnsafeRawBufferPointer) {
        bytes.removeSubrange(count...)
        bytes.append(contentsOf: more)
        count = bytes.count
    }
}
