// What the system says of the path. It ends, opens and forbids nothing (law 7): it moves a wait
// between its bounds, and asks an open connection whether it lives.

extension ConnectionMachine {
    /// A hint that changes nothing is a duplicate, however often it is said.
    mutating func pathHint(
        _ path: PathState,
        now: Milliseconds,
        using generator: inout some RandomNumberGenerator
    ) -> ConnectionReaction {
        let before = self
        let ping = heed(path, now: now, using: &generator)
        return ConnectionReaction(self == before ? .duplicate : .accepted, ping: ping)
    }

    private mutating func heed(
        _ path: PathState,
        now: Milliseconds,
        using generator: inout some RandomNumberGenerator
    ) -> ConnectionPing? {
        let known = self.path
        self.path = path
        isPathContradicted = false
        switch state {
        case .waiting(let wait):
            state = .waiting(moved(wait, known: known, now: now, using: &generator))
        case .awaitingSnapshot(let wait):
            state = .awaitingSnapshot(moved(wait, known: known, now: now, using: &generator))
        case .suspended(let wait):
            state = .suspended(moved(wait, known: known, now: now, using: &generator))
        case .connecting:
            // It may open all the same, by the path that was there: then it is asked.
            if isChange(since: known) { owesDoubt = true }
        case .open(let open):
            guard isChange(since: known) else { return nil }
            return doubt(open, now: now, notBefore: soonest(after: lastDoubt))
        case .idle, .closing, .stopped:
            break
        }
        return nil
    }

    /// Two paths may look the same, so a repeated word is a change too. The first word of an
    /// observation is one where another was heard before it, for nobody saw what was between them;
    /// else only a path that is missing is.
    private mutating func isChange(since known: PathState) -> Bool {
        guard path != .unknown else {
            if known != .unknown { owesDoubt = true }
            return false
        }
        return known != .unknown || owesDoubt || path == .unavailable
    }

    private mutating func moved(
        _ wait: Wait, known: PathState, now: Milliseconds,
        using generator: inout some RandomNumberGenerator
    ) -> Wait {
        switch path {
        case .available: sooner(wait, now: now, using: &generator)
        case .unavailable where path != known && isPathMissing: stretched(wait, using: &generator)
        case .unavailable, .needsConnection, .unknown: wait
        }
    }

    /// A path is back: the attempt comes within a second, drawn, or a fleet would come at once.
    private mutating func sooner(
        _ wait: Wait, now: Milliseconds, using generator: inout some RandomNumberGenerator
    ) -> Wait {
        let drawn = Milliseconds.random(in: 0...policy.hintedWait, using: &generator)
        let used = max(now, soonest(after: lastHintedAttempt))
        let hinted = max(wait.earliest, used).moved(by: drawn)
        guard hinted < wait.until else { return wait }
        lastHintedAttempt = used
        var wait = wait
        wait.until = hinted
        return wait
    }

    /// A flapping path must not set the pace: what is said too soon is followed later.
    func soonest(after last: Milliseconds?) -> Milliseconds {
        last?.moved(by: policy.hintSpacing) ?? .min
    }

    /// Asks whether the connection lives, `notBefore` a moment and not while nobody can judge; its
    /// answer is wanted soon.
    ///
    /// An event stream cannot be asked: it has `patience` to say anything by itself, and is
    /// replaced else.
    mutating func doubt(
        _ open: Open, now: Milliseconds, notBefore: Milliseconds = .min,
        patience: Milliseconds? = nil
    ) -> ConnectionPing? {
        guard canBeDoubted, !isInBackground else { return nil }
        owesDoubt = false
        var open = open
        // A stream's doubt costs nothing, and its end is not put off by the next: no spacing.
        guard !open.isReadingPaused, notBefore.isReached(at: now) || !canPing else {
            open.nextProbe = min(open.nextProbe, max(now, notBefore))
            state = .open(open)
            return nil
        }
        lastDoubt = now
        open.nextProbe = .never
        guard canPing else {
            let end = now.moved(by: patience ?? policy.silenceAfterChange)
            open.idleDeadline = min(open.idleDeadline, end)
            state = .open(open)
            return nil
        }
        guard case .ping(let id) = heartbeat.probe(now: now, within: policy.probeTimeout) else {
            // One is under way, perhaps by the old path: its answer says nothing of the new one.
            open.nextProbe = now.moved(by: max(policy.hintSpacing, policy.probeTimeout))
            state = .open(open)
            return nil
        }
        state = .open(open)
        return ConnectionPing(generation: id, number: heartbeat.pingNumber)
    }

    /// Whether anything can come of a doubt.
    var canBeDoubted: Bool { canPing || policy.silenceAfterChange != .never }

    private var canPing: Bool { heartbeat.interval != .never }
}
