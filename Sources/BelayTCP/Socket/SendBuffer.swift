/// What a stream has to send. A stream at rest has none: ten thousand idle ones hold a word each.
final class SendBuffer {
    private var bytes: [UInt8] = []
    private var start = 0
    /// Bytes given to the system since there was something to send.
    private(set) var sentCount: UInt64 = 0
    /// The owner of the stream was told to stop writing, in effect.
    private(set) var isAboveHighWater = false

    /// Not yet given to the system.
    var unsentCount: Int { bytes.count - start }

    /// What `sentCount` will be when all of it is given.
    var end: UInt64 { sentCount + UInt64(unsentCount) }

    /// How much it holds without more memory.
    var capacity: Int { bytes.capacity }

    /// Lets an encoder append.
    func append(_ encode: (inout [UInt8]) -> Void) {
        dropSent()
        encode(&bytes)
        if unsentCount >= TCPStream.highWater { isAboveHighWater = true }
    }

    /// Hands what is unsent to `send`.
    func withUnsent<Result>(_ send: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { send(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }

    /// So many bytes were given to the system.
    func gave(_ count: Int) {
        start += count
        sentCount += UInt64(count)
    }

    /// Whether the owner is to be told now that it may write again.
    func takeDrained() -> Bool {
        guard isAboveHighWater, unsentCount <= TCPStream.lowWater else { return false }
        isAboveHighWater = false
        return true
    }

    /// As new, with the room that it has.
    func clear() {
        bytes.removeAll(keepingCapacity: true)
        start = 0
        sentCount = 0
        isAboveHighWater = false
    }

    /// Moves the unsent to the front when the sent part is the greater, so that each byte is
    /// moved once on the average.
    private func dropSent() {
        guard start > TCPStream.lowWater, start > unsentCount else { return }
        bytes.removeFirst(start)
        start = 0
    }
}
