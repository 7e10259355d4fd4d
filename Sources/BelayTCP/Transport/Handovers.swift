/// What to report when the bytes up to an offset were given to the system, in order.
struct Handovers: Sendable {
    /// What the bytes were.
    enum Item: Hashable, Sendable {
        case message(UInt64)
        case ping(UInt32)
    }

    private var waiting: [(offset: UInt64, item: Item)] = []
    private var first = 0

    /// Waits for `item`, whose last byte is the one before `offset`. Offsets rise.
    mutating func append(_ item: Item, endingAt offset: UInt64) {
        waiting.append((offset, item))
    }

    /// Takes the next one whose bytes are among the first `count`.
    mutating func next(given count: UInt64) -> Item? {
        guard first < waiting.count, waiting[first].offset <= count else { return nil }
        defer {
            first += 1
            // Moved to the front when more were taken than wait: each is moved once on average.
            if first * 2 > waiting.count {
                waiting.removeFirst(first)
                first = 0
            }
        }
        return waiting[first].item
    }
}
