import BelayTesting
import Testing

/// Two counters that each go up to a limit; one of them may be forbidden to meet the other.
private struct Counters: ExploredModel {
    struct State: Hashable, Sendable {
        var a = 0
        var b = 0
    }
    enum Action: Hashable, Sendable { case raiseA, raiseB }

    var limit = 3
    var extra: [ExplorationProperty<State, Action>] = []

    var initialStates: [State] { [State()] }

    func addActions(in state: State, to actions: inout [Action]) {
        if state.a < limit { actions.append(.raiseA) }
        if state.b < limit { actions.append(.raiseB) }
    }

    func step(_ state: inout State, _ action: Action) {
        switch action {
        case .raiseA: state.a += 1
        case .raiseB: state.b += 1
        }
    }

    var properties: [ExplorationProperty<State, Action>] {
        let limit = limit
        return [
            .always("no counter passes its limit") { $0.a <= limit && $0.b <= limit },
            .always("a counter only rises") { $0.a <= $2.a && $0.b <= $2.b },
            .sometimes("both are full") { $2.a == limit && $2.b == limit },
        ] + extra
    }

    func describe(_ state: State) -> String { "\(state.a),\(state.b)" }
}

/// States that all have the same hash.
private struct Collisions: ExploredModel {
    struct State: Hashable, Sendable {
        var number = 0

        func hash(into hasher: inout Hasher) {}
    }

    var initialStates: [State] { [State()] }

    func addActions(in state: State, to actions: inout [Int]) { actions += [1, 3] }

    func step(_ state: inout State, _ action: Int) { state.number = (state.number + action) % 100 }

    var properties: [ExplorationProperty<State, Int>] { [] }
}

@Suite struct `An exploration` {
    @Test func `tells states apart by equality, not by their hashes`() {
        let report = Exploration(Collisions(), depth: 1_000).run()
        #expect(report.ending == .exhausted)
        #expect(report.uniqueStates == 100)
    }

    @Test func `exhausts a finite model and says so`() {
        let report = Exploration(Counters(), depth: 100).run()
        #expect(report.isSatisfied)
        #expect(report.ending == .exhausted)
        #expect(report.uniqueStates == 16)
        #expect(report.generatedStates == 25)  // The initial one, and 2 x 3 x 4 steps.
        #expect(report.depth == 6)
        #expect(report.description.hasPrefix("16 states, 25 steps; exhausted: every order of any"))
    }

    @Test func `names a bound by depth as a bound`() {
        let report = Exploration(Counters(), depth: 2).run()
        #expect(report.ending == .depthLimit)
        #expect(report.uniqueStates == 6)
        #expect(report.depth == 2)
        #expect(report.description.contains("every order of 2 steps; longer ones were not tried"))
    }

    @Test func `stops at the limit of states and counts complete levels only`() {
        let report = Exploration(Counters(limit: 1_000), depth: 1_000, stateLimit: 100).run()
        #expect(report.ending == .stateLimit)
        #expect(report.depth == 12)  // Levels 0 to 12 hold 91 states, level 13 passes 100.
    }

    @Test func `fails when a sometimes never came about`() {
        let report = Exploration(Counters(), depth: 5).run()
        #expect(!report.isSatisfied)
        #expect(report.unseen == ["both are full"])
        #expect(report.description.hasSuffix("never came about: both are full"))
    }

    @Test func `shows the shortest way to a forbidden state`() {
        let model = Counters(extra: [.always("they never meet at two") { $0.a < 2 || $0.b < 2 }])
        let report = Exploration(model, depth: 100).run()
        #expect(report.ending == .violated)
        #expect(report.counterexample?.property == "they never meet at two")
        #expect(
            report.counterexample?.steps == [
                "0,0", "raiseA  ->  1,0", "raiseA  ->  2,0", "raiseB  ->  2,1", "raiseB  ->  2,2",
            ])
        #expect(!report.isSatisfied)
    }

    @Test func `sees before, action and after of a forbidden step`() {
        let model = Counters(
            extra: [
                .always("b waits for a") { before, action, _ in
                    action != .raiseB || before.a > before.b
                }
            ])
        let report = Exploration(model, depth: 100).run()
        #expect(report.counterexample?.steps == ["0,0", "raiseB  ->  0,1"])
    }

    @Test func `judges initial states too`() {
        let model = Counters(extra: [.always("a is not zero") { $0.a != 0 }])
        let report = Exploration(model, depth: 100).run()
        #expect(report.counterexample?.steps == ["0,0"])
        #expect(report.depth == 0)
    }

    @Test func `gives the same report twice`() {
        let model = Counters(extra: [.always("they never meet at two") { $0.a < 2 || $0.b < 2 }])
        #expect(Exploration(model, depth: 9).run() == Exploration(model, depth: 9).run())
    }

    @Test func `traps on a negative depth`() async {
        await #expect(processExitsWith: .failure) { _ = Exploration(Counters(), depth: -1) }
    }

    @Test func `traps on a limit of no states`() async {
        await #expect(processExitsWith: .failure) {
            _ = Exploration(Counters(), depth: 1, stateLimit: 0)
        }
    }
}
