/// The newest committed ids, at most `limit` of them: the oldest is forgotten first.
struct CommittedWindow: Hashable, Sendable {
    private let limit: Int
    private var ids: Set<EventID> = []
    /// In order of commit, as a ring once it is full.
    private var order: [EventID] = []
    private var oldest = 0

    init(limit: Int) {
        self.limit = limit
    }

    func contains(_ id: EventID) -> Bool {
        ids.contains(id)
    }

    /// What is remembered, oldest first.
    var inOrder: [EventID] { Array(order[oldest...] + order[..<oldest]) }

    /// Forgets `id`, as if it had never been committed.
    mutating func remove(_ id: EventID) {
        guard ids.remove(id) != nil else { return }
        order = inOrder.filter { $0 != id }
        oldest = 0
    }

    /// Remembers `id`. A repeated one keeps its place.
    mutating func insert(_ id: EventID) {
        guard ids.insert(id).inserted else { return }
        guard order.count == limit else {
            order.append(id)
            return
        }
        ids.remove(order[oldest])
        order[oldest] = id
        oldest = (oldest + 1) % limit
    }
}
