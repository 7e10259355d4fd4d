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
        if path != known { isPathContradicted = false }
        switch state {
        case .waiting(let wait):
            switch path {
            case .available:
                comeSooner(wait, now: now, using: &generator)
            case .unavailable where path != known && isPathMissing:
                state = .waiting(stretched(wait, using: &generator))
            case .unavailable, .needsConnection, .unknown:
                break
            }
            return nil
        case .open(let open):
            // Two paths may look the same, so a repeated word is a change too. The first word of a
            // new observation is none; only a path that is missing is worth a question.
            guard path != .unknown, known != .unknown || path == .unavailable else { return nil }
            return doubt(open, now: now, notBefore: soonest(after: lastDoubt))
        case .idle, .connecting, .closing, .awaitingSnapshot, .suspended, .stopped:
            return nil
        }
    }

    /// A path is back: the attempt comes within a second, drawn, or a fleet would come at once.
    private mutating func comeSooner(
        _ wait: Wait, now: Milliseconds, using generator: inout some RandomNumberGenerator
    ) {
        let drawn = Milliseconds.random(in: 0...policy.hintedWait, using: &generator)
        let used = max(now, soonest(after: lastHintedAttempt))
        let hinted = max(wait.earliest, used).moved(by: drawn)
        guard hinted < wait.until else { return }
        lastHintedAttempt = used
        var wait = wait
        wait.until = hinted
        state = .waiting(wait)
    }

    /// A flapping path must not set the pace: what is said too soon is followed later.
    private func soonest(after last: Milliseconds?) -> Milliseconds {
        last?.moved(by: policy.hintSpacing) ?? .min
    }

    /// Asks whether the connection lives, `notBefore` a moment and not while nobody can judge; its
    /// answer is wanted soon.
    ///
    /// None is ordered where a ping is outstanding already. A connection whose heartbeat never
    /// pings, an event stream's, is judged by silence alone.
    mutating func doubt(
        _ open: Open, now: Milliseconds, notBefore: Milliseconds = .min
    ) -> ConnectionPing? {
        guard heartbeat.interval != .never, !isInBackground else { return nil }
        var open = open
        guard !open.isReadingPaused, notBefore.isReached(at: now) else {
            open.nextProbe = min(open.nextProbe, max(now, notBefore))
            state = .open(open)
            return nil
        }
        open.nextProbe = .never
        state = .open(open)
        lastDoubt = now
        return switch heartbeat.probe(now: now, within: policy.probeTimeout) {
        case .ping(let id): ConnectionPing(generation: id, number: heartbeat.pingNumber)
        case .close, nil: nil
        }
    }
}
