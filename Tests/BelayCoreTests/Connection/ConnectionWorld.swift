import BelayTesting

@testable import BelayCore

/// A connection machine in a world that says anything at any time.
///
/// A transport may report whatever it likes in any order, as often as it likes, also after its
/// end; timers fire early, late and twice; pongs answer older pings; the path flaps; the clock
/// jumps to, just before and behind deadlines, and steps back.
///
/// What an *old* generation says is not an action: in every reached state every report of it is
/// tried and must change nothing, which covers every order of them.
struct ConnectionWorld: ExploredModel {
    struct State: Hashable, Sendable {
        var machine: ConnectionMachine
        var now: Milliseconds = 0
        var shell: ConnectionShell
        /// The reaction to the last step; no part of the state's identity.
        var last = ConnectionReaction(.accepted)

        static func == (a: State, b: State) -> Bool {
            a.now == b.now && a.shell == b.shell && a.machine == b.machine
        }

        func hash(into hasher: inout Hasher) {
            // Equality decides. These tell apart all but few, without the policy's constants.
            hasher.combine(now)
            hasher.combine(machine.state)
            hasher.combine(machine.heartbeat)
            hasher.combine(machine.failures)
            hasher.combine(machine.lastHintedAttempt)
            hasher.combine(machine.lastDoubt)
            hasher.combine(machine.path)
            hasher.combine(machine.isPathContradicted)
            hasher.combine(machine.owesDoubt)
            hasher.combine(machine.backoff.ceiling)
            hasher.combine(shell.seen)
            hasher.combine(shell.isWanted)
            hasher.combine(shell.isInBackground)
        }
    }

    enum Action: Sendable {
        case clock(Milliseconds)
        case input(ConnectionInput)
    }

    let heartbeat: Heartbeat
    let policy: ConnectionPolicy

    var initialStates: [State] {
        let id = Generation(1)
        let shell = ConnectionShell(
            credentialAttempts: policy.reconnect.credentialAttempts,
            mayMissPongs: heartbeat.policy.missedPongs > 0,
            takesSnapshots: policy.reconnect.takesSnapshots)
        let idle = State(
            machine: ConnectionMachine(heartbeat: heartbeat, policy: policy), shell: shell)
        let open: [Action] = [.input(.connect), .input(.opened(id))]
        let pinging = open + [.clock(interval), .input(.deadlineReached(id))]
        let waiting: [Action] = [.input(.connect), .input(.ended(id, .reset))]
        let pathless: [Action] =
            waiting + [
                .input(.connect), .input(.pathHint(.unavailable)),
                .input(.ended(Generation(2), .reset)),
            ]
        let asked = open + [.input(.pathHint(.unavailable)), .input(.pong(id, ping: 1))]
        let states =
            [idle] + [open, pinging, waiting, pathless, asked].map { $0.reduce(into: idle, step) }
        return states + (policy.reconnect.lifetimeFloor > 5 ? [] : [cutThrice(from: idle)])
            + beating(from: idle)
    }

    /// Open, and known to beat each 4, where that is learnt.
    private func beating(from idle: State) -> [State] {
        guard case .learned = policy.silence else { return [] }
        let id = Generation(1)
        let actions: [Action] = [
            .input(.connect), .input(.opened(id)), .clock(4), .input(.received(id)), .clock(8),
            .input(.received(id)),
        ]
        return [actions.reduce(into: idle, step)]
    }

    /// Open after three ends at the age of 5.
    private func cutThrice(from idle: State) -> State {
        var state = idle
        step(&state, .input(.connect))
        for number in 1...3 as ClosedRange<UInt64> {
            let id = Generation(number)
            step(&state, .input(.opened(id)))
            step(&state, .clock(state.now + 5))
            step(&state, .input(.ended(id, .peerVanished)))
            step(&state, .clock(state.machine.nextDeadline ?? state.now))
            step(&state, .input(.deadlineReached(id)))
        }
        step(&state, .input(.opened(Generation(4))))
        return state
    }

    func addActions(in state: State, to actions: inout [Action]) {
        let id = state.machine.generation
        let ping = state.machine.heartbeat.pingNumber
        actions += [
            .input(.connect), .input(.replace), .input(.stop), .input(.background),
            .input(.foreground), .input(.prepared(id)), .input(.progressed(id)),
            .input(.snapshotEnded(id)), .input(.ended(id, .cursorTooOld)),
            .input(.opened(id)),
            .input(.received(id)), .input(.partlyReceived(id)), .input(.sent(id)),
            .input(.pingHandedOver(id, ping: ping)),
            .input(.pong(id, ping: ping)), .input(.pong(id, ping: ping &- 1)),
            .input(.unsolicitedPong(id)), .input(.reconnectionTime(id, 3)),
            .input(.readingPaused(id)), .input(.readingResumed(id)), .input(.ended(id, .reset)),
            .input(.ended(id, .peerClosed(code: 1_008))),
            .input(.ended(id, .handshakeRefused(status: 401))),
            .input(.ended(id, .peerClosed(code: 1_013), retryAfter: 5)),
            .input(.deadlineReached(id)),
            .input(.pathHint(.unknown)), .input(.pathHint(.available)),
            .input(.pathHint(.needsConnection)), .input(.pathHint(.unavailable)),
            .clock(state.now - 2),
        ]
        if let deadline = state.machine.nextDeadline {
            actions += [.clock(deadline - 1), .clock(deadline), .clock(deadline + 5)]
        } else {
            actions.append(.clock(state.now + 3))
        }
    }

    func step(_ state: inout State, _ action: Action) {
        switch action {
        case .clock(let now):
            state.now = now
            state.last = ConnectionReaction(.accepted)
        case .input(let input):
            var chance = ExtremeChance.greatest
            state.last = state.machine.handle(input, now: state.now, using: &chance)
            state.shell.perform(state.last, to: input, at: state.now)
        }
    }

    func describe(_ state: State) -> String {
        let machine = state.machine
        let next = plain(machine.nextDeadline as Any)
        let fault = state.shell.fault.map { ", FAULT \($0)" } ?? ""
        return "\(state.last.line); at \(state.now): \(machine.status), next \(next)\(fault)"
    }

    func describe(_ action: Action) -> String {
        switch action {
        case .clock(let now): "clock \(now)"
        case .input(let input): input.line
        }
    }

    private var interval: Milliseconds { min(heartbeat.interval, 100) }
}
