import BelayTesting

@testable import BelayCore

extension ConnectionWorld {
    var properties: [ExplorationProperty<State, Action>] {
        ofStates + ofSteps + ofHints + ofStreams + ofAnswers + marks
    }

    private var ofStates: [ExplorationProperty<State, Action>] {
        [
            .always("no order is impossible to perform") { $0.shell.fault == nil },
            .always("what an old generation says changes nothing") { state in
                Self.reports(of: Generation(state.machine.generation.number &- 1)).allSatisfy {
                    let after = Self.handle($0, in: state, at: state.now)
                    return after.reaction == ConnectionReaction(.stale)
                        && DrivenConnection.Decisions(after.machine)
                            == DrivenConnection.Decisions(state.machine)
                }
            },
            .always("a connection wanted in the foreground has a transport or a deadline") {
                !$0.shell.isWanted || $0.shell.isInBackground || $0.shell.live != nil
                    || $0.shell.owesSnapshot || $0.machine.nextDeadline != nil
            },
            .always("no attempt is planned in the background") {
                !$0.shell.isInBackground || $0.shell.live != nil || $0.machine.nextDeadline == nil
            },
            .always("there is no deadline only where time changes nothing") { state in
                guard state.machine.nextDeadline == nil else { return true }
                return switch state.machine.state {
                case .idle, .awaitingSnapshot, .suspended, .stopped: true
                case .open(let open):
                    state.shell.isInBackground || open.isReadingPaused
                        || state.machine.silence.limit == .never
                case .connecting, .closing, .waiting: false
                }
            },
            .always("time at the deadline makes progress") { state in
                guard let deadline = state.machine.nextDeadline else { return true }
                let timer = ConnectionInput.deadlineReached(state.machine.generation)
                var state = state
                // Two may be due at once: a silence that was slept past is put off once, and a
                // question that is due was asked already.
                for _ in 1...3 {
                    let (machine, orders) = Self.handle(timer, in: state, at: deadline)
                    if orders.ended != nil || orders.open != nil || orders.ping != nil {
                        return true
                    }
                    guard orders.verdict == .accepted else { return false }
                    if machine.nextDeadline ?? .never > deadline { return true }
                    state.machine = machine
                }
                return false
            },
            .always("time before the deadline changes nothing") { state in
                guard let deadline = state.machine.nextDeadline, state.shell.seen < deadline
                else { return true }
                let timer = ConnectionInput.deadlineReached(state.machine.generation)
                let after = Self.handle(timer, in: state, at: deadline - 1)
                return after.reaction == ConnectionReaction(.unexpected)
                    && after.machine.state == state.machine.state
                    && after.machine.nextDeadline == deadline
            },
        ]
    }

    private var ofSteps: [ExplorationProperty<State, Action>] {
        [
            .always("an ignored input changes nothing") { before, _, after in
                after.last.verdict == .accepted
                    || before.machine.state == after.machine.state
                        && before.machine.heartbeat.nextDeadline
                            == after.machine.heartbeat.nextDeadline
                        && before.machine.backoff == after.machine.backoff
                        && before.machine.silence == after.machine.silence
                        && before.machine.lastHintedAttempt == after.machine.lastHintedAttempt
                        && before.machine.lastDoubt == after.machine.lastDoubt
            },
            .always("an end says how long it was open, where it was") { before, _, after in
                guard let end = after.last.ended, before != after else { return true }
                return end.age == before.shell.openedAt.map { after.shell.seen - $0 }
            },
            .always("a return to the foreground leaves time to answer") { before, action, after in
                guard case .input(.foreground) = action, before.shell.isInBackground,
                    after.shell.isOpened,
                    !after.shell.isClosing,
                    after.last.verdict == .accepted, let deadline = after.machine.nextDeadline
                else { return true }
                // One that is past its suspected lifetime is not asked: it is replaced.
                if case .open(let open) = after.machine.state, open.rotation == deadline {
                    return true
                }
                return deadline > after.shell.seen
            },
            .always("where no age proves anything, it is replaced ahead only after progress") {
                before, action, after in
                guard before.machine.policy.reconnect.backoff.provenAfter == .max,
                    case .input(.deadlineReached) = action, after.last.ended?.cause == .replaced
                else { return true }
                return before.machine.failures == 0
            },
            .always("failures are forgotten only for a proof or a new life") {
                before, action, after in
                guard after.machine.failures < before.machine.failures else { return true }
                return switch action {
                case .input(.progressed), .input(.connect), .input(.replace): true
                default:
                    // An end after proven uptime: it forgets, and counts as the first.
                    before.shell.openedAt.map {
                        after.shell.seen - $0 >= before.machine.policy.reconnect.backoff.provenAfter
                    } ?? false
                }
            },
        ]
    }

    private var ofHints: [ExplorationProperty<State, Action>] {
        [
            .always("a hint ends, opens and forbids nothing, and lengthens a wait to its bound") {
                before, action, after in
                guard case .input(.pathHint(let path)) = action else { return true }
                guard after.last.ended == nil, after.last.close == nil, after.last.open == nil
                else { return false }
                let now = after.shell.seen
                return switch (before.machine.status, after.machine.status) {
                case (.waiting(let old), .waiting(let new)):
                    new <= old
                        || path == .unavailable && new <= Self.wait(in: before)?.latest ?? old
                case (let old, let new):
                    old == new
                        && Self.silentEnd(after, from: now) <= Self.silentEnd(before, from: now)
                }
            },
            .always("what bounds a wait is fixed at its beginning, and is one wait's length") {
                before, _, after in
                guard let new = Self.wait(in: after) else { return true }
                if let old = Self.wait(in: before), after.last.ended == nil {
                    return (new.earliest, new.latest) == (old.earliest, old.latest)
                }
                let longest = max(
                    after.machine.backoff.ceiling, after.machine.policy.reconnect.backoff.cap)
                return new.latest <= max(new.until, after.shell.seen + longest)
            },
            .always("a changed path is asked about, at the latest after the hints' spacing") {
                before, action, after in
                guard case .input(.pathHint(let path)) = action, path != .unknown,
                    before.machine.path != .unknown || before.machine.owesDoubt,
                    !after.shell.isInBackground, case .open(let open) = after.machine.state,
                    after.machine.canBeDoubted, after.last.ping == nil
                else { return true }
                let policy = after.machine.policy
                let latest = after.shell.seen + max(policy.hintSpacing, policy.probeTimeout)
                return open.nextProbe <= latest
                    || open.idleDeadline <= after.shell.seen + policy.silenceAfterChange
            },
        ]
    }

    private var ofStreams: [ExplorationProperty<State, Action>] {
        [
            .always("progress never lengthens a wait") { before, action, after in
                guard case .input(.progressed) = action,
                    case .waiting(let old) = before.machine.status
                else { return true }
                guard case .waiting(let new) = after.machine.status else { return false }
                return new <= old
            },
            .always("only a snapshot's end leads away from one, or the program") {
                before, action, after in
                guard case .awaitingSnapshot = before.machine.status else { return true }
                return switch action {
                case .input(.snapshotEnded), .input(.stop): true
                default: before.machine.status == after.machine.status
                }
            },
            .always("a silence that is learnt stays within its limits") { _, _, after in
                guard case .learned(let numbers) = after.machine.policy.silence else {
                    return true
                }
                let limit = after.machine.silence.limit
                return limit == .never || (numbers.floor...numbers.ceiling).contains(limit)
            },
            .always("a silence that is learnt is shortened only by what is heard") {
                before, action, after in
                guard after.machine.silence.limit < before.machine.silence.limit else {
                    return true
                }
                return switch action {
                case .input(.received), .input(.partlyReceived), .input(.pong): true
                default: false
                }
            },
        ]
    }

    private var ofAnswers: [ExplorationProperty<State, Action>] {
        [
            .always("a pong at the deadline is late") { before, action, after in
                guard case .input(.pong) = action, before.shell.outstandingPing != nil,
                    let deadline = before.machine.heartbeat.nextDeadline,
                    after.shell.seen >= deadline
                else { return true }
                return after.last.verdict != .accepted
            },
            .always("a request is sent for the attempt under way only") { before, action, after in
                guard case .input(.prepared(let id)) = action, after.last.verdict == .accepted
                else { return true }
                return before.machine.status == .connecting(id)
                    && before.machine.state == after.machine.state
            },
            .always("a message is no pong") { before, action, after in
                guard case .input(.received) = action else { return true }
                if before.shell.outstandingPing != nil {
                    return before.machine.heartbeat == after.machine.heartbeat
                }
                let (old, new) = (before.machine.heartbeat, after.machine.heartbeat)
                return new.nextDeadline ?? .never >= old.nextDeadline ?? .never
            },
            .always("a part of a frame answers no ping, and hurries none") {
                before, action, after in
                guard case .input(.partlyReceived) = action else { return true }
                return before.shell.outstandingPing == after.shell.outstandingPing
                    && after.machine.heartbeat.nextDeadline ?? .never
                        >= before.machine.heartbeat.nextDeadline ?? .never
            },
            .always("a hand-over moves a deadline once") { before, action, after in
                guard case .input(let input) = action, case .pingHandedOver = input,
                    after.last.verdict == .accepted
                else { return true }
                return Self.handle(input, in: after, at: after.now).reaction.verdict != .accepted
            },
        ]
    }

    private var marks: [ExplorationProperty<State, Action>] {
        [
            .sometimes("an attempt times out") {
                $2.last.ended?.cause == .openTimedOut && $0 != $2
            },
            .sometimes("a connection is replaced ahead of a suspected limit, where one is") {
                guard $0.machine.policy.reconnect.lifetimeFloor == 1 else { return true }
                guard case .input(.deadlineReached) = $1 else { return false }
                return $2.last.ended?.cause == .replaced && $2.last.open != nil
            },
            .sometimes("a closing handshake ends") { $0.shell.isClosing && $2.shell.live == nil },
            .sometimes("a hint shortens a wait") { before, action, after in
                guard case .input(.pathHint) = action,
                    let old = before.machine.nextDeadline, let new = after.machine.nextDeadline
                else { return false }
                return new < old
            },
            .sometimes("a missing path stretches a wait") { before, action, after in
                guard case .input(.pathHint) = action,
                    let old = before.machine.nextDeadline, let new = after.machine.nextDeadline,
                    case .waiting = after.machine.status
                else { return false }
                return new > old
            },
            .sometimes("a change that came too soon is asked about later, where one can ask") {
                before, action, after in
                guard after.machine.heartbeat.interval != .never,
                    after.machine.policy.hintSpacing > 0
                else { return true }
                guard case .input(.deadlineReached) = action,
                    case .open(let open) = before.machine.state
                else { return false }
                return open.nextProbe != .never && after.last.ping != nil
            },
            .sometimes("a suspended connection comes back") { before, _, after in
                before.machine.status == .suspended && after.last.open != nil
            },
            .sometimes("a return asks at once, or shortens the silence") { before, action, after in
                guard case .input(.foreground) = action else { return false }
                return after.last.ping != nil || after.machine.nextDeadline != nil
            },
            .sometimes("a silent connection is given up") {
                $2.last.ended?.cause == .heartbeatTimedOut
                    || $2.last.ended?.cause == .idleTimedOut
                        && $0.shell.isOpened
            },
            .sometimes("a stream goes on after a snapshot, where they are taken") {
                guard $0.machine.policy.reconnect.takesSnapshots else { return true }
                guard case .awaitingSnapshot = $0.machine.status else { return false }
                return $2.machine.nextDeadline != nil
            },
            .sometimes("a time-out widens a silence that is learnt, where it is") {
                guard case .learned = $0.machine.policy.silence else { return true }
                return $2.machine.silence.limit > $0.machine.silence.limit
                    && $0.machine.silence.limit != .never && $0 != $2
            },
            .sometimes("an answer keeps a connection, or a byte does") { before, action, after in
                guard case .input(let input) = action, after.last.verdict == .accepted else {
                    return false
                }
                return switch input {
                case .pong, .received: after.machine.nextDeadline != before.machine.nextDeadline
                default: false
                }
            },
        ]
    }

    private static func wait(in state: State) -> ConnectionMachine.Wait? {
        switch state.machine.state {
        case .waiting(let wait), .awaitingSnapshot(let wait), .suspended(let wait): wait
        case .idle, .connecting, .open, .closing, .stopped: nil
        }
    }

    /// When a connection is given up that stays silent from `now` on; `never` if it is not.
    private static func silentEnd(_ state: State, from now: Milliseconds) -> Milliseconds {
        var machine = state.machine
        var chance = ExtremeChance.greatest
        while let deadline = machine.nextDeadline {
            let moment = max(deadline, now)
            let input = ConnectionInput.deadlineReached(machine.generation)
            let reaction = machine.handle(input, now: moment, using: &chance)
            if reaction.ended != nil { return moment }
            guard reaction.verdict == .accepted else { return .never }
        }
        return .never
    }

    private static func handle(
        _ input: ConnectionInput, in state: State, at now: Milliseconds
    ) -> (machine: ConnectionMachine, reaction: ConnectionReaction) {
        var machine = state.machine
        var chance = ExtremeChance.greatest
        let reaction = machine.handle(input, now: now, using: &chance)
        return (machine, reaction)
    }

    private static func reports(of id: Generation) -> [ConnectionInput] {
        [
            .prepared(id), .progressed(id), .snapshotEnded(id), .opened(id), .received(id),
            .partlyReceived(id), .sent(id),
            .pingHandedOver(id, ping: 1),
            .pong(id, ping: 1), .unsolicitedPong(id), .reconnectionTime(id, 3),
            .readingPaused(id), .readingResumed(id), .ended(id, .reset), .deadlineReached(id),
        ]
    }
}
