/// The newest word of the present path observation, and nothing of the ones before.
///
/// It forbids nothing: no call here answers whether a request may be made.
public struct NetworkHint: Hashable, Sendable {
    /// The number of the present observation; `.zero` before the first.
    public private(set) var generation = Generation.zero
    /// Unknown until the present observation first reports.
    public private(set) var state: PathState = .unknown
    /// Whether the path costs its user, as last reported; false before.
    public private(set) var expensive = false
    /// Whether the user asked for little traffic, as last reported; false before.
    public private(set) var constrained = false

    /// A hint that nobody feeds yet.
    public init() {}

    /// A new observation begins: a greater number, unknown state, flags cleared.
    ///
    /// Call before the old observation is cancelled, so that what it still says is stale.
    public mutating func restart() -> Generation {
        generation = generation.next
        state = .unknown
        expensive = false
        constrained = false
        return generation
    }

    /// An observation reports. Of an older one nothing is taken over, flags included.
    @discardableResult
    public mutating func accept(
        generation incoming: Generation,
        state next: PathState,
        expensive: Bool = false,
        constrained: Bool = false
    ) -> InputVerdict {
        guard incoming == generation else { return .stale }
        let isRepeated =
            (state, self.expensive, self.constrained) == (next, expensive, constrained)
        state = next
        self.expensive = expensive
        self.constrained = constrained
        return isRepeated ? .duplicate : .accepted
    }
}
