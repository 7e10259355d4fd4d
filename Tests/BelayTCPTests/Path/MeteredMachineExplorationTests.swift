import BelayCore
import BelayTesting
import Testing

@testable import BelayTCP

/// A bus that comes and goes, owners of the name that do too, and messages that are under way.
private struct MeteredWorld: ExploredModel {
    struct State: Sendable {
        var machine = MeteredMachine()
        var hasBus = true
        /// Who has the name, and what it says of itself.
        var owner: String?
        var word = Metered.no
        /// What the bus will deliver to the machine, in this order; nil without a connection.
        var mail: [MeteredMachine.Input]?
        var shown = PathTrait.unknown
        /// How often it was opened since the last look or word.
        var opens = 0
        var fault: String?
    }

    enum Action: Hashable, Sendable {
        case look, deliver, deadline, stop
        case busGoes, busComes
        case leaves
        case takesOver(String)
        case changes(Metered)
        /// A stranger's word.
        case forged(MeteredMachine.Input)
    }

    /// Mail that lies longer is read no differently.
    private static let room = 3
    private static let owners = [":1.1", ":1.2"]
    private static let stranger = ":1.66"

    var initialStates: [State] { [State()] }

    func addActions(in state: State, to actions: inout [Action]) {
        actions += [.look, .stop]
        actions.append(.forged(.said(.yes, by: Self.stranger)))
        actions.append(.forged(.withdrawn(by: Self.stranger)))
        actions.append(state.hasBus ? .busGoes : .busComes)
        if state.machine.nextDeadline != nil { actions.append(.deadline) }
        guard state.hasBus else { return }
        if let mail = state.mail, !mail.isEmpty { actions.append(.deliver) }
        guard state.mail?.count ?? 0 < Self.room else { return }
        if state.owner != nil { actions += [.leaves, .changes(.yes), .changes(.unknown)] }
        actions += Self.owners.filter { $0 != state.owner }.map { .takesOver($0) }
    }

    func step(_ state: inout State, _ action: Action) {
        switch action {
        case .look:
            state.opens = 0
            take(&state, .looked)
        case .stop: take(&state, .stopped)
        case .deadline:
            if let deadline = state.machine.nextDeadline {
                take(&state, .deadlineReached, now: deadline)
            }
        case .forged(let input): take(&state, input)
        case .busGoes:
            (state.hasBus, state.owner) = (false, nil)
            if state.mail != nil { take(&state, .failed) }
        case .busComes: state.hasBus = true
        case .leaves:
            state.owner = nil
            state.mail?.append(.owned(by: nil))
        case .takesOver(let owner):
            (state.owner, state.word) = (owner, .no)
            state.mail?.append(.owned(by: owner))
        case .changes(let word):
            state.word = word
            if let owner = state.owner { state.mail?.append(.said(word, by: owner)) }
        case .deliver:
            if let next = state.mail?.removeFirst() { take(&state, next) }
        }
    }

    private func take(
        _ state: inout State, _ input: MeteredMachine.Input, now: Milliseconds = 0
    ) {
        defer { if case .told = state.machine.state { state.opens = 0 } }
        for action in state.machine.handle(input, now: now) {
            switch action {
            case .open:
                if state.mail != nil { state.fault = "a second connection" }
                state.opens += 1
                if state.opens > 3 { state.fault = "tried for ever" }
                if state.hasBus {
                    state.mail = [.owned(by: state.owner)]
                } else {
                    take(&state, .refused)
                }
            case .ask(let owner):
                if state.mail == nil { state.fault = "asks without a connection" }
                // One that has gone does not answer; the bus says that it went.
                if owner == state.owner { state.mail?.append(.said(state.word, by: owner)) }
            case .report(let trait):
                if trait == state.shown { state.fault = "says \(trait) twice" }
                state.shown = trait
            case .close: state.mail = nil
            }
        }
    }

    func describe(_ state: State) -> String {
        state.fault ?? "\(state.machine.state), shows \(state.shown); \(state.mail ?? [])"
    }

    var properties: [ExplorationProperty<State, Action>] {
        [
            .always("no rule is broken") { $0.fault == nil },
            .always("once all mail is read, what is shown is what the owner says") { state in
                guard state.mail == [], state.machine.state != .ended else { return true }
                return state.shown == (state.owner == nil ? .unknown : state.word.trait)
            },
            .always("nothing is known without a connection") { state in
                state.mail != nil || state.machine.state == .ended || state.shown == .unknown
            },
            .always("only a connection under way or to come has a deadline") { state in
                switch state.machine.state {
                case .waiting, .opening: state.machine.nextDeadline != nil
                case .closed, .unowned, .asked, .told, .ended: state.machine.nextDeadline == nil
                }
            },
            .always("a bus that is not there is waited for by no one who looked for it") {
                before, action, after in
                guard action == .look || action == .deadline, !before.hasBus else { return true }
                return after.machine.nextDeadline == nil
            },
            .always("a stranger changes nothing") { before, action, after in
                guard case .forged = action else { return true }
                return before == after
            },
            .sometimes("a word is heard that no look looked for") { before, action, after in
                guard action == .deliver, case .told = after.machine.state else { return false }
                return before.machine.retries > 0 && before.shown != after.shown
            },
            .sometimes("a cost is shown") { _, _, after in after.shown == .yes },
            .sometimes("an owner takes over from another") { before, _, after in
                guard case .told(_, let old) = before.machine.state,
                    case .asked(let new) = after.machine.state
                else { return false }
                return old != new
            },
            .sometimes("a word is shown again on a new bus") { before, action, after in
                action == .deliver && before.shown == .unknown && after.shown != .unknown
            },
        ]
    }
}

/// Moments are lengths: how late it is when one passes is no part of what can happen next.
extension MeteredWorld.State: Hashable {
    private struct Key: Hashable {
        let phase: MeteredMachine.State
        let reported: PathTrait
        let retries: Int
        let hasBus: Bool
        let owner: String?
        let word: Metered
        let mail: [MeteredMachine.Input]?
        let shown: PathTrait
        let opens: Int
        let fault: String?
    }

    private var key: Key {
        let phase: MeteredMachine.State =
            switch machine.state {
            case .waiting: .waiting(until: 0)
            case .opening: .opening(until: 0)
            case .closed, .unowned, .asked, .told, .ended: machine.state
            }
        return Key(
            phase: phase, reported: machine.reported, retries: machine.retries, hasBus: hasBus,
            owner: owner, word: word, mail: mail, shown: shown, opens: opens, fault: fault)
    }

    fileprivate static func == (left: Self, right: Self) -> Bool { left.key == right.key }
    fileprivate func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

@Suite struct `A watch over a NetworkManager that comes and goes` {
    @Test func `shows the word of who is there, whatever comes late or from elsewhere`() {
        let report = Exploration(MeteredWorld(), depth: 1_000).run()
        #expect(report.isSatisfied, "\(report)")
        #expect(report.ending == .exhausted)
    }
}
