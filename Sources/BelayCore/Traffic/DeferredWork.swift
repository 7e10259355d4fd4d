/// Operations that wait for a cheaper path. None is ever dropped: each is begun once, or taken
/// back by the app.
///
/// `submit` says whether to begin now. Each other call answers the operations to begin, in the
/// order they were submitted. Arm one timer at `nextDeadline`.
public struct DeferredWork<Operation: Hashable & Sendable>: Hashable, Sendable {
    /// What becomes of a submitted operation.
    public enum Answer: Hashable, Sendable {
        /// Begin it now.
        case begin
        /// It is kept, for this reason.
        case deferred(Deferral)
    }

    private struct Entry: Hashable, Sendable {
        let operation: Operation
        let kind: WorkKind
        let latest: Milliseconds
    }

    /// What may wait for what.
    public let policy: TrafficPolicy
    /// How many operations wait at most; one more is begun at once, since none may be lost.
    public let limit: Int
    /// What the path costs now.
    public private(set) var cost = PathCost()
    /// In the order they were submitted.
    private var entries: [Entry] = []

    /// Nothing waits. `limit`, at least 0, is 1,000 by default: nobody reads a longer list.
    public init(policy: TrafficPolicy = TrafficPolicy(), limit: Int = 1_000) {
        precondition(limit >= 0, "limit \(limit): at least 0")
        self.policy = policy
        self.limit = limit
    }

    /// The operations that wait, in their order.
    public var operations: [Operation] { entries.map { $0.operation } }

    /// Why an operation waits; `nil` where it does not.
    public func deferral(of operation: Operation) -> Deferral? {
        entries.first { $0.operation == operation }
            .flatMap { policy.deferral(of: $0.kind, on: cost) }
    }

    /// When the next operation has waited for long enough; `nil` where none waits.
    public var nextDeadline: Milliseconds? {
        let latest = entries.map { $0.latest }.min() ?? .never
        return latest == .never ? nil : latest
    }

    /// An operation is to be done. One that waits already, by `==`, goes on waiting once, unless
    /// this kind may begin.
    public mutating func submit(
        _ operation: Operation, as kind: WorkKind, now: Milliseconds
    ) -> Answer {
        let waits = entries.firstIndex { $0.operation == operation }
        guard let deferral = policy.deferral(of: kind, on: cost), policy.longestDeferral > 0 else {
            if let waits { entries.remove(at: waits) }
            return .begin
        }
        guard waits == nil else { return .deferred(deferral) }
        guard entries.count < limit else { return .begin }
        let latest = now.moved(by: policy.longestDeferral)
        entries.append(Entry(operation: operation, kind: kind, latest: latest))
        return .deferred(deferral)
    }

    /// The path costs something else now: what is to begin. That the path is gone is no cost.
    public mutating func costChanged(_ cost: PathCost) -> [Operation] {
        self.cost = cost
        return take { policy, entry in policy.deferral(of: entry.kind, on: cost) == nil }
    }

    /// Time passed: what has waited for long enough is to begin.
    public mutating func deadlineReached(now: Milliseconds) -> [Operation] {
        take { _, entry in entry.latest.isReached(at: now) }
    }

    /// It waits no more: a person wants it now, and the app begins it, or nobody wants it at all.
    ///
    /// `true` where it waited.
    @discardableResult
    public mutating func withdraw(_ operation: Operation) -> Bool {
        guard let index = entries.firstIndex(where: { $0.operation == operation }) else {
            return false
        }
        entries.remove(at: index)
        return true
    }

    private mutating func take(
        where isDue: (TrafficPolicy, Entry) -> Bool
    ) -> [Operation] {
        let due = entries.filter { isDue(policy, $0) }
        entries.removeAll { isDue(policy, $0) }
        return due.map { $0.operation }
    }
}
