// What time says.

extension ConnectionMachine {
    /// The clock decides, not the fact that a timer fired: early and repeated calls are harmless.
    mutating func deadlineReached(
        _ id: Generation,
        now: Milliseconds,
        using generator: inout some RandomNumberGenerator
    ) -> ConnectionReaction {
        guard id == generation else { return ConnectionReaction(.stale) }
        switch state {
        case .connecting(let deadline):
            guard deadline.isReached(at: now) else { return ConnectionReaction(.unexpected) }
            return ConnectionReaction(
                .accepted, ended: end(.openTimedOut, now: now, using: &generator))
        case .open(let open):
            guard isJudging(open) else { return ConnectionReaction(.unexpected) }
            return judge(open, now: now, using: &generator)
        case .closing(let deadline, _):
            guard deadline.isReached(at: now) else { return ConnectionReaction(.unexpected) }
            return ConnectionReaction(.accepted, ended: endForGood(.closedLocally, now: now))
        case .waiting(let wait):
            guard wait.until.isReached(at: now) else { return ConnectionReaction(.unexpected) }
            return waited(now: now)
        case .idle, .awaitingSnapshot, .suspended, .stopped:
            return ConnectionReaction(.unexpected)
        }
    }

    private mutating func judge(
        _ open: Open,
        now: Milliseconds,
        using generator: inout some RandomNumberGenerator
    ) -> ConnectionReaction {
        if open.rotation.isReached(at: now) {
            let ended = facts(.replaced, now: now)
            return ConnectionReaction(.accepted, ended: ended, open: waited(now: now).open)
        }
        switch heartbeat.tick(now: now) {
        case .close:
            return ConnectionReaction(
                .accepted, ended: end(.heartbeatTimedOut, now: now, using: &generator))
        case .ping(let id):
            let ping = ConnectionPing(generation: id, number: heartbeat.pingNumber)
            return ConnectionReaction(.accepted, ping: ping)
        case nil:
            if open.nextProbe.isReached(at: now) {
                return ConnectionReaction(.accepted, ping: doubt(open, now: now))
            }
            guard open.idleDeadline.isReached(at: now) else {
                return ConnectionReaction(.unexpected)
            }
            if putsOff(open, now: now) { return ConnectionReaction(.accepted) }
            // What came after a sleep of this program measures nothing.
            if !open.wasOverdue { silence.timedOut(now: now) }
            return ConnectionReaction(
                .accepted, ended: end(.idleTimedOut, now: now, using: &generator))
        }
    }

    /// Whether this program slept past the end of the silence, which then proves nothing: what
    /// came meanwhile is read first. Once only, or a slow machine would never judge.
    private mutating func putsOff(_ open: Open, now: Milliseconds) -> Bool {
        let lateness = now.elapsed(since: open.idleDeadline)
        guard lateness > heartbeat.policy.overdueAfter, !open.wasOverdue else { return false }
        var open = open
        open.wasOverdue = true
        open.idleDeadline = now.moved(by: policy.probeTimeout)
        state = .open(open)
        return true
    }
}
