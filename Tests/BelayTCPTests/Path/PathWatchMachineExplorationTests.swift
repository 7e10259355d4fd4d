import BelayCore
import BelayTesting
import BelayWire
import Testing

@testable import BelayTCP

/// A watch and its kernel, which changes at any time, tells late, and interrupts dumps.
private struct WatchWorld: ExploredModel {
    struct State: Sendable {
        var run = PathWatchRun()
        /// A notice that the kernel sent and the machine has not got.
        var isNoticePending = false
        var isStopped = false
        // What came of it.
        var shown = PathState.unknown
        var shownCost = PathTrait.unknown
        var shownReason: PathReason?
        var lastChange: UInt32 = 0
        var fault: String?
    }

    enum Action: Hashable, Sendable {
        case start
        case change(ScriptedKernel)
        case notice
        case answer(isInterrupted: Bool)
        case staleAnswer
        case fail
        case price(PathTrait)
        case deadline
        case stop
    }

    static let kernels = [
        ScriptedKernel(), ScriptedKernel(hasCarrier: false), ScriptedKernel(link: 3),
        ScriptedKernel(hasRoute: false), ScriptedKernel(hasRoute: false, hasForeignAddress: true),
    ]

    var initialStates: [State] { [State()] }

    func addActions(in state: State, to actions: inout [Action]) {
        if state.run.machine.state == .idle, !state.isStopped { actions.append(.start) }
        actions += Self.kernels.filter { $0 != state.run.kernel }.map { .change($0) }
        if state.isNoticePending { actions.append(.notice) }
        if state.run.question != nil {
            actions += [.answer(isInterrupted: false), .answer(isInterrupted: true)]
        }
        if state.run.machine.nextDeadline != nil { actions.append(.deadline) }
        actions.append(.staleAnswer)
        actions.append(.price(state.run.machine.expensive == .yes ? .unknown : .yes))
        // A third failure is a longer wait, and nothing else.
        if state.run.machine.failures < 2 { actions.append(.fail) }
        if !state.isStopped { actions.append(.stop) }
    }

    func step(_ state: inout State, _ action: Action) {
        let wasStopped = state.isStopped
        let actions = take(&state, action)
        if wasStopped, !actions.isEmpty { state.fault = "\(actions) after the end" }
        for update in actions.reports {
            // Another path, or the same at another cost, or missing for another reason.
            let isSamePath =
                (update.change, update.state) == (state.lastChange, state.shown)
                && (update.expensive, update.reason) != (state.shownCost, state.shownReason)
            if update.change != state.lastChange + 1, !isSamePath {
                state.fault = "\(update) is no next change"
            }
            if update.reason != state.shownReason, update.state == state.shown,
                update.change != state.lastChange
            {
                state.fault = "\(update) is another path by its reason"
            }
            (state.shown, state.shownCost) = (update.state, update.expensive)
            state.shownReason = update.reason
            state.lastChange = update.change
        }
        if actions.questions.count > 1 { state.fault = "two questions at once" }
        state.run.now = 0  // Deadlines are lengths: the same moment is the same state.
    }

    private func take(_ state: inout State, _ action: Action) -> [PathWatchMachine.Action] {
        switch action {
        case .start: return state.run.take(.started)
        case .change(let kernel):
            state.run.kernel = kernel
            // Nobody is told who does not listen.
            state.isNoticePending = state.run.machine.isListening
            return []
        case .notice:
            state.isNoticePending = false
            return state.run.take(.noticed)
        case .answer(let isInterrupted):
            return state.run.answer(isInterrupted: isInterrupted)
        case .staleAnswer:
            let before = state.run
            let header = NetlinkHeader(type: 0, flags: 0x10, sequence: state.run.sequence &- 1)
            let actions = state.run.take(.answered(header, .failed(code: -101)))
            if state.run != before || !actions.isEmpty { state.fault = "takes a stale answer" }
            return actions
        case .fail:
            state.isNoticePending = false
            return state.run.take(.failed)
        case .price(let trait):
            return state.run.take(.priced(trait))
        case .deadline:
            return state.run.passDeadline()
        case .stop:
            state.isStopped = true
            state.isNoticePending = false
            return state.run.take(.stopped)
        }
    }

    func describe(_ state: State) -> String {
        state.fault ?? "\(state.run.machine.state), shows \(state.shown) of \(state.run.kernel)"
    }

    var properties: [ExplorationProperty<State, Action>] {
        [
            .always("no rule is broken") { $0.fault == nil },
            .always("what rests shows what is") { state in
                guard state.run.machine.state == .resting, !state.isNoticePending else {
                    return true
                }
                return (state.shown, state.shownReason)
                    == (state.run.kernel.state, state.run.kernel.reason)
            },
            .always("what is shown has the cost that was said last") { state in
                state.lastChange == 0 || state.isStopped
                    || state.shownCost == state.run.machine.expensive
            },
            .always("a cost changes nothing but the cost") { before, action, after in
                guard case .price = action else { return true }
                return (before.shown, before.shownReason, before.run.question)
                    == (after.shown, after.shownReason, after.run.question)
                    && before.run.machine.state == after.run.machine.state
            },
            .always("what does not rest has a deadline") { state in
                switch state.run.machine.state {
                case .idle, .resting, .opening: state.run.machine.nextDeadline == nil
                case .settling, .looking, .broken: state.run.machine.nextDeadline != nil
                }
            },
            .always("a look under way has a question") { state in
                guard case .looking = state.run.machine.state else { return true }
                return state.run.question != nil
            },
            .always("a notice alone asks nothing") { before, action, after in
                action != .notice || after.run.sequence == before.run.sequence
            },
            .sometimes("another reason is shown, of the same path") { before, _, after in
                after.lastChange == before.lastChange && after.shownReason != before.shownReason
            },
            .sometimes("another path of the same state is shown") { before, _, after in
                after.lastChange > before.lastChange && after.shown == before.shown
            },
            .sometimes("a disturbed look is believed") { before, _, after in
                after.run.machine.nextDeadline != nil && after.lastChange > before.lastChange
                    && after.shown != .unknown
            },
            .sometimes("a disturbed look is thrown away") { before, _, after in
                after.run.machine.looks > before.run.machine.looks
                    && after.run.machine.disturbances > 0
                    && after.run.machine.reported != after.run.kernel.path
            },
            .sometimes("a path is shown again after a failure") { before, _, after in
                before.shown == .unknown && before.lastChange > 1 && after.shown == .available
            },
        ]
    }
}

/// Numbers that only count are no part of what can happen next.
extension WatchWorld.State: Hashable {
    fileprivate var key: Key {
        let machine = run.machine
        var key = Key(
            activity: machine.activity,
            reported: machine.reported, disturbances: machine.disturbances,
            failures: machine.failures, kernel: run.kernel, question: run.question,
            answered: run.answered, isNoticePending: isNoticePending, isStopped: isStopped,
            shown: shown, expensive: machine.expensive, shownCost: shownCost,
            shownReason: shownReason, fault: fault)
        if case .looking(let look) = machine.state {
            (key.facts, key.isDisturbed) = (look.facts, look.isDisturbed)
        }
        return key
    }

    fileprivate struct Key: Hashable {
        let activity: PathWatchMachine.Activity
        let reported: PathFacts.Path?
        let disturbances: Int
        let failures: Int
        let kernel: ScriptedKernel
        let question: NetlinkRequest?
        let answered: Int
        let isNoticePending: Bool
        let isStopped: Bool
        let shown: PathState
        let expensive: PathTrait
        let shownCost: PathTrait
        let shownReason: PathReason?
        let fault: String?
        var facts: PathFacts?
        var isDisturbed = false
    }

    fileprivate static func == (left: Self, right: Self) -> Bool { left.key == right.key }
    fileprivate func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension PathWatchMachine {
    /// The state without its moments, which are all reached.
    fileprivate enum Activity {
        case idle, opening, resting, settling, looking, broken
    }

    fileprivate var activity: Activity {
        switch state {
        case .idle: .idle
        case .opening: .opening
        case .resting: .resting
        case .settling: .settling
        case .looking: .looking
        case .broken: .broken
        }
    }

    /// Whether the kernel would tell it of a change.
    fileprivate var isListening: Bool {
        [.resting, .settling, .looking].contains(activity)
    }
}

@Suite struct `A watch over a kernel that changes at any time` {
    // P1, P7, P8
    @Test func `shows what is once it rests, whatever was lost, late or interrupted`() {
        let report = Exploration(WatchWorld(), depth: 1_000).run()
        #expect(report.isSatisfied, "\(report)")
        #expect(report.ending == .exhausted)
    }
}
