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

    /// An operation that waits.
    public struct Waiting: Hashable, Sendable {
        /// What waits.
        public let operation: Operation
        /// Why.
        public let deferral: Deferral
    }

    private struct Entry: Hashable, Sendable {
        let operation: Operation
        let kind: WorkKind
        let since: Milliseconds
    }

    /// Whether anybody said what the path costs.
    private enum Knowledge: Hashable, Sendable {
        /// Nobody is asked: the path counts as free.
        case unasked
        /// A hint will say it, and has not yet.
        case awaited
        case cost(PathCost)
    }

    /// What may wait for what.
    public let policy: TrafficPolicy
    /// How many operations wait at most; one more is begun at once, since none may be lost.
    public let limit: Int
    private var knowledge = Knowledge.unasked
    /// In the order they were submitted.
    private var entries: [Entry] = []

    /// Nothing waits. `limit`, at least 0, is 1,000 by default: nobody reads a longer list.
    public init(policy: TrafficPolicy = TrafficPolicy(), limit: Int = 1_000) {
        precondition(limit >= 0, "limit \(limit): at least 0")
        self.policy = policy
        self.limit = limit
    }

    /// What the path costs by the last word of it; nothing, as far as nobody has said.
    public var cost: PathCost {
        switch knowledge {
        case .unasked, .awaited: PathCost()
        case .cost(let cost): cost
        }
    }

    /// The operations that wait, in their order.
    public var operations: [Operation] { entries.map { $0.operation } }

    /// The same with their reasons.
    public var waiting: [Waiting] {
        entries.compactMap { entry in
            deferral(of: entry.kind).map { Waiting(operation: entry.operation, deferral: $0) }
        }
    }

    /// Why an operation waits; `nil` where it does not.
    public func deferral(of operation: Operation) -> Deferral? {
        entries.first { $0.operation == operation }.flatMap { deferral(of: $0.kind) }
    }

    private func deferral(of kind: WorkKind) -> Deferral? {
        switch knowledge {
        case .unasked, .cost: policy.deferral(of: kind, on: cost)
        // Work that may use every path has nothing to wait for.
        case .awaited: policy.terms(for: kind) == TrafficPolicy.Terms() ? nil : .notReported
        }
    }

    /// How long an operation waits at most, as things stand.
    private var longestWait: Milliseconds {
        switch knowledge {
        case .unasked, .cost: policy.longestDeferral
        case .awaited: min(policy.longestUnknown, policy.longestDeferral)
        }
    }

    /// When the next operation has waited for long enough; `nil` where none waits.
    public var nextDeadline: Milliseconds? {
        let longest = longestWait
        let latest = entries.map { $0.since.moved(by: longest) }.min() ?? .never
        return latest == .never ? nil : latest
    }

    /// An operation is to be done. One that waits already, by `==`, goes on waiting once, unless
    /// this kind may begin.
    public mutating func submit(
        _ operation: Operation, as kind: WorkKind, now: Milliseconds
    ) -> Answer {
        let waits = entries.firstIndex { $0.operation == operation }
        guard let deferral = deferral(of: kind), longestWait > 0 else {
            if let waits { entries.remove(at: waits) }
            return .begin
        }
        guard waits == nil else { return .deferred(deferral) }
        guard entries.count < limit else { return .begin }
        entries.append(Entry(operation: operation, kind: kind, since: now))
        return .deferred(deferral)
    }

    /// The path costs this now: what is to begin.
    public mutating func costChanged(_ cost: PathCost) -> [Operation] {
        knowledge = .cost(cost)
        return take { policy, entry in policy.deferral(of: entry.kind, on: cost) == nil }
    }

    /// The path's hint is this one now: what is to begin.
    ///
    /// An unknown path is not a free one, nor is one of an unknown cost, nor one that is gone. What
    /// was said last counts on, so that neither the moment after a return to the foreground nor a
    /// tunnel begins anything; before anything was said, work waits for it, for the policy's
    /// `longestUnknown` at most.
    public mutating func hintChanged(_ hint: NetworkHint) -> [Operation] {
        if knowledge == .unasked { knowledge = .awaited }
        return word(of: hint.newest).map { costChanged($0) } ?? []
    }

    /// What a report says of cost, with the last word where it leaves a trait open; `nil` where it
    /// says nothing.
    private func word(of update: PathUpdate) -> PathCost? {
        switch update.state {
        case .unknown, .unavailable: return nil  // No path has no cost.
        case .needsConnection, .available: break
        }
        // A system may have a word for one and not for the other: Linux has no Low Data Mode.
        let isSilent = update.expensive == .unknown && update.constrained == .unknown
        return isSilent
            ? nil
            : PathCost(
                expensive: update.expensive.known ?? cost.expensive,
                constrained: update.constrained.known ?? cost.constrained)
    }

    /// Time passed: what has waited for long enough is to begin.
    public mutating func deadlineReached(now: Milliseconds) -> [Operation] {
        let longest = longestWait
        return take { _, entry in entry.since.moved(by: longest).isReached(at: now) }
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
