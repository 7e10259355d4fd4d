/// What an endpoint saw, in order, from its start or from when the record was last taken.
///
/// Bounded: when it is full the newest are counted and not kept, so that the beginning, which
/// tests read, stays as it was.
public struct EndpointRecord: Hashable, Sendable {
    /// The entries in their order.
    public let entries: [EndpointEntry]
    /// How many were not kept.
    public let omitted: Int
    /// The most entries that are kept.
    public let limit: Int

    /// An empty record.
    public init(limit: Int) {
        self.init(entries: [], omitted: 0, limit: limit)
    }

    /// The entries of one connection.
    public func entries(of connection: Int) -> [EndpointEntry] {
        entries.filter { $0.connection == connection }
    }

    /// A record with every part given.
    init(entries: [EndpointEntry], omitted: Int, limit: Int) {
        self.entries = entries
        self.omitted = omitted
        self.limit = limit
    }
}
