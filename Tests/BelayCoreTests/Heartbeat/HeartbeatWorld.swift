import BelayTesting

@testable import BelayCore

/// A heartbeat with all of its inputs in any order, of this generation, this ping and the last.
struct HeartbeatWorld: ExploredModel {
    struct State: Hashable, Sendable {
        var heartbeat: Heartbeat
        var now: Milliseconds = 0
        /// The greatest time the heartbeat read.
        var seen = Milliseconds.min
        /// The ping that was ordered and has no counted answer.
        var outstanding: UInt32?
        var isOpen = false
        var isHeld = false
        var fault: Fault?
    }

    enum Fault: Hashable, Sendable {
        case pingedTwice, pingedWhileHeld, closedWithoutPing, actedWithoutConnection
        case tookOtherPong, movedDeadlineTwice
    }

    var policy = Heartbeat.Policy(interval: 3, timeout: 4)

    enum Action: Sendable {
        case clock(Milliseconds)
        case connect, opened, ended, received, partlyReceived, tick, hold, release, probe
        case pong(UInt32), handedOver(UInt32)
    }

    var initialStates: [State] {
        [State(heartbeat: Heartbeat(policy))]
    }

    func addActions(in state: State, to actions: inout [Action]) {
        let ping = state.heartbeat.pingNumber
        actions += [
            .connect, .opened, .ended, .received, .partlyReceived, .tick, .hold, .release, .probe,
            .pong(ping),
            .pong(ping &- 1), .handedOver(ping), .handedOver(ping &- 1), .clock(state.now - 2),
            .clock(state.now + 1),
        ]
        if let deadline = state.heartbeat.nextDeadline {
            actions += [.clock(deadline - 1), .clock(deadline)]
        }
    }

    func step(_ state: inout State, _ action: Action) {
        let id = state.heartbeat.generation
        switch action {
        case .clock(let now):
            state.now = now
        case .connect:
            _ = state.heartbeat.connect()
            (state.outstanding, state.isOpen, state.isHeld) = (nil, false, false)
        case .opened:
            guard state.heartbeat.opened(id, now: state.now) == .accepted else { return }
            state.isOpen = true
            read(&state)
        case .ended:
            state.heartbeat.ended(id)
            (state.outstanding, state.isOpen, state.isHeld) = (nil, false, false)
        case .hold:
            state.heartbeat.hold()
            state.isHeld = state.isOpen
        case .release:
            read(&state)
            state.heartbeat.release(now: state.now)
            state.isHeld = false
        case .received:
            state.heartbeat.received(now: state.now)
            let isResting = state.isOpen && !state.isHeld && state.outstanding == nil
            if policy.inbound == .postponesPing, isResting { read(&state) }
        case .partlyReceived:
            read(&state)
            state.heartbeat.partlyReceived(now: state.now)
        case .tick:
            read(&state)
            let isDue = state.heartbeat.nextDeadline.map { state.seen >= $0 } ?? false
            perform(state.heartbeat.tick(now: state.now), isDue: isDue, in: &state)
        case .probe:
            read(&state)
            state.isHeld = false
            perform(state.heartbeat.probe(now: state.now, within: 6), in: &state)
        case .pong(let ping):
            take(state.heartbeat.pong(id, ping: ping, now: state.now), ping, of: &state)
        case .handedOver(let ping):
            let verdict = state.heartbeat.pingHandedOver(id, ping: ping, now: state.now)
            guard verdict == .accepted || verdict == .late else { return }
            if !state.isHeld { read(&state) }
            var again = state.heartbeat
            if again.pingHandedOver(id, ping: ping, now: state.now) == .accepted {
                state.fault = .movedDeadlineTwice
            }
        }
    }

    private func read(_ state: inout State) {
        state.seen = max(state.seen, state.now)
    }

    private func take(_ verdict: InputVerdict, _ ping: UInt32, of state: inout State) {
        guard verdict == .accepted || verdict == .late else { return }
        if !state.isHeld { read(&state) }
        guard verdict == .accepted else { return }
        if ping != state.outstanding { state.fault = .tookOtherPong }
        state.outstanding = nil
    }

    private func perform(
        _ action: Heartbeat.Action?, isDue: Bool = false, in state: inout State
    ) {
        if action != nil, !state.isOpen { state.fault = .actedWithoutConnection }
        switch action {
        case .ping:
            // What was not answered in time may be asked for again: one is outstanding still.
            if state.outstanding != nil, !isDue { state.fault = .pingedTwice }
            if state.isHeld { state.fault = .pingedWhileHeld }
            state.outstanding = state.heartbeat.pingNumber
        case .close:
            if state.outstanding == nil || state.isHeld { state.fault = .closedWithoutPing }
            (state.outstanding, state.isOpen) = (nil, false)
        case nil:
            return
        }
    }

    var properties: [ExplorationProperty<State, Action>] { rules + marks }

    private var rules: [ExplorationProperty<State, Action>] {
        [
            .always("no action is impossible to perform") { $0.fault == nil },
            .always("what another generation says changes nothing") { state in
                var heartbeat = state.heartbeat
                let old = Generation(state.heartbeat.generation.number &- 1)
                let ping = state.heartbeat.pingNumber
                let verdicts = [
                    heartbeat.opened(old, now: state.now), heartbeat.pong(old, now: state.now),
                    heartbeat.pong(old, ping: ping, now: state.now),
                    heartbeat.pingHandedOver(old, ping: ping, now: state.now),
                    heartbeat.ended(old),
                ]
                return heartbeat == state.heartbeat && verdicts.allSatisfy { $0 == .stale }
            },
            .always("there is a deadline where, and only where, it is open and judged") {
                ($0.heartbeat.nextDeadline != nil) == ($0.isOpen && !$0.isHeld)
            },
            .always("time at the deadline makes progress, and none before") { state in
                guard let deadline = state.heartbeat.nextDeadline else { return true }
                var early = state.heartbeat
                var due = state.heartbeat
                let isEarly = state.seen < deadline
                return (!isEarly || early.tick(now: deadline - 1) == nil)
                    && due.tick(now: deadline) != nil
            },
            .always("a pong at the deadline is late") { before, action, after in
                guard case .pong = action, let deadline = before.heartbeat.nextDeadline,
                    max(before.seen, before.now) >= deadline
                else { return true }
                return before.outstanding == after.outstanding
            },
            .always("a probe gives a silent connection no longer") { before, action, after in
                guard case .probe = action, before.isOpen, !before.isHeld else { return true }
                let now = max(before.seen, before.now)
                return Self.silentEnd(after, from: now) <= Self.silentEnd(before, from: now)
            },
            .always("a message answers no ping and moves no outstanding one's deadline") {
                before, action, after in
                guard case .received = action, before.outstanding != nil else { return true }
                return before.heartbeat == after.heartbeat
            },
            .always("a part of a frame never hurries a deadline, nor moves it past the longest") {
                before, action, after in
                guard case .partlyReceived = action, let old = before.heartbeat.nextDeadline,
                    let new = after.heartbeat.nextDeadline, old != new
                else { return true }
                let age = after.heartbeat.pingAge(now: after.seen) ?? 0
                return new > old && new <= after.seen + policy.timeout
                    && new <= after.seen - age + (policy.queuedTimeout ?? 0)
            },
        ]
    }

    private var marks: [ExplorationProperty<State, Action>] {
        [
            .sometimes("a part of a frame gives its pong longer, where the policy says so") {
                before, action, after in
                guard policy.queuedTimeout != nil else { return true }
                guard case .partlyReceived = action else { return false }
                return before.heartbeat.nextDeadline != after.heartbeat.nextDeadline
            },
            .sometimes("an answer counts") {
                $0.outstanding != nil && $2.outstanding == nil && $2.isOpen
            },
            .sometimes("a missing answer closes") { before, action, after in
                guard case .tick = action else { return false }
                return before.isOpen && !after.isOpen
            },
            .sometimes("a missed answer is asked for again, where the policy says so") {
                before, action, after in
                guard policy.missedPongs > 0 else { return true }
                guard case .tick = action, let missed = before.outstanding else { return false }
                return after.outstanding == missed + 1
            },
            .sometimes("a hand-over moves a deadline") { before, action, after in
                guard case .handedOver = action else { return false }
                return before.heartbeat.nextDeadline != after.heartbeat.nextDeadline
            },
        ]
    }

    /// When a silent connection is closed if time is driven from `now` on.
    private static func silentEnd(_ state: State, from now: Milliseconds) -> Milliseconds {
        var heartbeat = state.heartbeat
        while let deadline = heartbeat.nextDeadline {
            let moment = max(deadline, now)
            if case .close = heartbeat.tick(now: moment) { return moment }
        }
        return .never
    }

    func describe(_ state: State) -> String {
        let heartbeat = Mirror(reflecting: state.heartbeat).children.first { $0.label == "state" }
        let fault = state.fault.map { ", FAULT \($0)" } ?? ""
        return "at \(state.now): \(heartbeat.map { plain($0.value) } ?? "?")\(fault)"
    }
}
