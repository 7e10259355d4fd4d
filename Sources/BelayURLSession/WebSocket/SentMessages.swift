/// Reports messages as sent in the order in which they were ordered, each once, whatever the order
/// of their completions.
struct SentMessages: Hashable, Sendable {
    /// Ordered and not reported, oldest first.
    private var waiting: ArraySlice<UInt64> = []
    /// Completed before an older one.
    private var early: Set<UInt64> = []
    /// The newest that was ordered.
    private(set) var newest: UInt64?
    /// The newest that was reported.
    private(set) var reported: UInt64?

    /// A message was given to the task. Numbers rise.
    mutating func order(_ number: UInt64) {
        waiting.append(number)
        newest = number
    }

    /// The completion of `number` was called; the messages to report now.
    mutating func complete(_ number: UInt64) -> [UInt64] {
        guard waiting.contains(number) else { return [] }
        early.insert(number)
        var done: [UInt64] = []
        while let first = waiting.first, early.remove(first) != nil {
            waiting.removeFirst()
            done.append(first)
        }
        if let last = done.last { reported = last }
        return done
    }
}
