import BelayCore
import BelayTesting
import Testing

/// Three operations, one of each kind, under every order of costs, times and wishes.
private struct WorkWorld: ExploredModel {
    struct State: Hashable, Sendable {
        var work = DeferredWork<WorkKind>(
            policy: TrafficPolicy(longestDeferral: 3, longestUnknown: 1), limit: 2)
        var now: Milliseconds = 0
        /// How often each was begun or withdrawn since it was submitted; nil before.
        var ends: [WorkKind: Int] = [:]
    }

    enum Action: Hashable, Sendable {
        case submit(WorkKind), withdraw(WorkKind), pass
        case cost(PathCost), hint(PathUpdate)
    }

    /// What says nothing of cost.
    private static let silent = [
        PathUpdate(.unknown), PathUpdate(.available),
        PathUpdate(.unavailable, expensive: false, constrained: false),
    ]

    var initialStates: [State] { [State()] }

    func addActions(in state: State, to actions: inout [Action]) {
        for kind in WorkKind.allCases {
            actions.append(state.ends[kind] == nil ? .submit(kind) : .withdraw(kind))
        }
        if state.now < 5 { actions.append(.pass) }
        actions += Self.silent.map { .hint($0) }
        actions.append(.hint(PathUpdate(.available, expensive: true)))
        for (expensive, constrained) in [(false, false), (true, false), (false, true)] {
            actions.append(.cost(PathCost(expensive: expensive, constrained: constrained)))
        }
    }

    func step(_ state: inout State, _ action: Action) {
        switch action {
        case .submit(let kind):
            let answer = state.work.submit(kind, as: kind, now: state.now)
            state.ends[kind] = answer == .begin ? 1 : 0
        case .withdraw(let kind):
            if state.work.withdraw(kind) { state.ends[kind, default: 0] += 1 }
        case .pass:
            state.now += 1
            for kind in state.work.deadlineReached(now: state.now) {
                state.ends[kind, default: 0] += 1
            }
        case .hint(let update):
            var hint = NetworkHint()
            hint.accept(generation: hint.restart(), update)
            for kind in state.work.hintChanged(hint) { state.ends[kind, default: 0] += 1 }
        case .cost(let cost):
            for kind in state.work.costChanged(cost) { state.ends[kind, default: 0] += 1 }
        }
    }

    var properties: [ExplorationProperty<State, Action>] {
        [
            .always("each operation waits or has ended, and ends once") { state in
                state.ends.allSatisfy { kind, count in
                    count == (state.work.operations.contains(kind) ? 0 : 1)
                }
            },
            .always("what waits has a deadline, and a reason") { state in
                (state.work.nextDeadline == nil) == state.work.operations.isEmpty
                    && state.work.operations.allSatisfy { state.work.deferral(of: $0) != nil }
            },
            .always("what a person asked for never waits") { state in
                !state.work.operations.contains(.requested)
            },
            .always("nothing waits longer than the policy allows") { state in
                (state.work.nextDeadline ?? .max) > state.now
            },
            .always("what is not reported is awaited no longer than the policy allows") { state in
                !state.work.waiting.contains { $0.deferral == .notReported }
                    || (state.work.nextDeadline ?? .max) <= state.now + 1
            },
            .always("a path that is unknown, gone or of an unknown cost begins nothing") {
                before, action, after in
                guard case .hint(let update) = action, Self.silent.contains(update) else {
                    return true
                }
                return before.ends == after.ends && before.work.cost == after.work.cost
            },
            .sometimes("work waits for a first report") { _, _, after in
                after.work.waiting.contains { $0.deferral == .notReported }
            },
            .sometimes("work waits and is begun by a cheaper path") { before, action, after in
                if case .cost = action {
                    before.work.operations.count == 2 && after.work.operations.isEmpty
                } else {
                    false
                }
            },
            .sometimes("work is begun by time") { before, action, after in
                action == .pass && before.work.operations.count > after.work.operations.count
            },
        ]
    }
}

/// The space is finite, and exhausted.
@Suite struct `Deferring work under every order of events` {
    // P11
    @Test func `drops no operation and begins none twice`() {
        Exploration(WorkWorld(), depth: 1_000).expectSatisfied("deferred work")
    }
}
