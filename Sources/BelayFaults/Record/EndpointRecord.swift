/// What an endpoint saw, in order, from its start or from when the record was last taken.
///
/// Bounded: when it is full the newest are counted and not kept, so that the beginning, which
/// tests read, stays as it was.
public struct EndpointRecord: Hashable, Sendable {
    /// The entries in their order.
    public private(set) var entries: [EndpointEntry] = []
    /// How many were not kept.
    public private(set) var omitted = 0
    /// The most entries that are kept.
    public let limit: Int

    /// An empty record.
    public init(limit: Int) {
        self.limit = limit
    }

    /// The entries of one connection.
    public func entries(of connection: Int) -> [EndpointEntry] {
        entries.filter { $0.connection == connection }
    }

    var isFull: Bool { entries.count >= limit }

    /// Keeps an entry; not when it is full.
    mutating func append(_ entry: EndpointEntry) {
        entries.append(entry)
    }

    /// Counts an entry that is not kept.
    mutating func omit() {
        omitted += 1
    }
}
