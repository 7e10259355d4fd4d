/// The newest word of the present path observation, and nothing of the ones before.
///
/// It forbids nothing: no call here answers whether a request may be made.
public struct NetworkHint: Hashable, Sendable {
    /// The number of the present observation; `.zero` before the first.
    public private(set) var generation = Generation.zero
    /// What the present observation last reported; unknown in all before it first did.
    public private(set) var newest = PathUpdate(.unknown)
    /// How many reports of older observations were dropped, since this hint began.
    ///
    /// A system that goes on reporting after it was told to stop shows here, and nowhere else.
    public private(set) var dropped: UInt64 = 0

    /// A hint that nobody feeds yet.
    public init() {}

    /// Unknown until the present observation first reports.
    public var state: PathState { newest.state }
    /// Whether the path is known to cost its user. `newest` tells "no" from "nobody knows".
    public var expensive: Bool { newest.expensive == .yes }
    /// Whether the user is known to have asked for little traffic, like `expensive`.
    public var constrained: Bool { newest.constrained == .yes }
    /// Why there is no path, where the system says. To be shown.
    public var reason: PathReason? { newest.reason }

    /// A new observation begins: a greater number, unknown state, flags and reason cleared.
    ///
    /// Call before the old observation is cancelled, so that what it still says is stale.
    public mutating func restart() -> Generation {
        generation = generation.next
        newest = PathUpdate(.unknown)
        return generation
    }

    /// An observation of a system that knows both flags reports.
    @discardableResult
    public mutating func accept(
        generation incoming: Generation,
        state next: PathState,
        expensive: Bool = false,
        constrained: Bool = false
    ) -> InputVerdict {
        accept(
            generation: incoming,
            PathUpdate(
                next, expensive: PathTrait(expensive), constrained: PathTrait(constrained)))
    }

    /// An observation reports. Of an older one nothing is taken over, flags included.
    @discardableResult
    public mutating func accept(
        generation incoming: Generation, _ update: PathUpdate
    ) -> InputVerdict {
        guard incoming == generation else {
            dropped &+= 1
            return .stale
        }
        guard update != newest else { return .duplicate }
        newest = update
        return .accepted
    }
}

extension NetworkHint {
    /// Whether both say the same. What was dropped says nothing of a path: a stale report leaves
    /// a hint equal, so that nobody who compares takes it for news.
    public static func == (one: NetworkHint, other: NetworkHint) -> Bool {
        (one.generation, one.newest) == (other.generation, other.newest)
    }

    /// Feeds what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(generation)
        hasher.combine(newest)
    }
}
