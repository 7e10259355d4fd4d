// What a transport says. The generation check is the first statement, before any effect (law 1).

extension ConnectionMachine {
    mutating func opened(
        _ id: Generation, now: Milliseconds, using generator: inout some RandomNumberGenerator
    ) -> ConnectionReaction {
        guard id == generation else { return ConnectionReaction(.stale) }
        switch state {
        case .connecting(let deadline):
            guard !deadline.isReached(at: now) else { return ConnectionReaction(.late) }
            credentialRefusals = 0
            contradictPath()
            defer { owesDoubt = false }
            heartbeat.opened(id, now: now)
            heartbeat.advanceNextPing(by: heartbeat.policy.firstAdvance(using: &generator))
            silence.begins(now: now)
            if isInBackground { heartbeat.hold() }
            var open = Open(
                since: now, idleDeadline: now.moved(by: silence.limit),
                nextProbe: owesDoubt && canBeDoubted ? now : .never)
            if policy.reconnect.backoff.provenAfter != .max { planRotation(of: &open) }
            state = .open(open)
            return ConnectionReaction(.accepted)
        case .open:
            return ConnectionReaction(.duplicate)
        case .closing:
            return ConnectionReaction(.duplicate)  // It was open when we began to close.
        case .idle, .waiting, .awaitingSnapshot, .suspended, .stopped:
            return ConnectionReaction(.alreadyEnded)
        }
    }

    /// From now on it is replaced ahead of a suspected lifetime limit, and that is no failure.
    ///
    /// Where no age proves anything, progress comes first: else a server that only ever cuts, at
    /// one age, would see an attempt each nine tenths of it, and never a longer wait.
    func planRotation(of open: inout Open) {
        open.rotation = open.since.moved(by: suspicion.rotationAge)
    }

    /// Any byte breaks the silence; none is a pong (W18).
    mutating func received(_ id: Generation, now: Milliseconds) -> ConnectionReaction {
        guard id == generation else { return ConnectionReaction(.stale) }
        guard case .open(let open) = state else { return ConnectionReaction(verdictUnlessOpen) }
        hear(open, now: now)
        return ConnectionReaction(.accepted)
    }

    /// A large message breaks the silence with each part of it, and an answer may stand behind it.
    mutating func partlyReceived(_ id: Generation, now: Milliseconds) -> ConnectionReaction {
        guard id == generation else { return ConnectionReaction(.stale) }
        guard case .open(let open) = state else { return ConnectionReaction(verdictUnlessOpen) }
        hear(open, now: now)
        heartbeat.partlyReceived(now: now)
        return ConnectionReaction(.accepted)
    }

    private mutating func hear(_ open: Open, now: Milliseconds) {
        breakSilence(of: open, now: now)
        heartbeat.received(now: now)
    }

    /// Of a pause that was not judged, or slept through, nothing is learnt.
    private mutating func breakSilence(of open: Open, now: Milliseconds) {
        if isJudging(open), !open.wasOverdue {
            silence.isBroken(now: now)
        } else if isJudging(open) {
            silence.begins(now: now)
        }
        var open = open
        open.idleDeadline = now.moved(by: silence.limit)
        open.wasOverdue = false
        state = .open(open)
    }

    mutating func sent(_ id: Generation) -> ConnectionReaction {
        guard id == generation else { return ConnectionReaction(.stale) }
        switch state {
        case .open, .closing:
            return ConnectionReaction(.accepted)
        case .connecting:
            return ConnectionReaction(.unexpected)
        case .idle, .waiting, .awaitingSnapshot, .suspended, .stopped:
            return ConnectionReaction(.alreadyEnded)
        }
    }

    mutating func pingHandedOver(
        _ id: Generation, ping: UInt32, now: Milliseconds
    ) -> ConnectionReaction {
        guard id == generation else { return ConnectionReaction(.stale) }
        guard case .open = state else { return ConnectionReaction(verdictUnlessOpen) }
        return ConnectionReaction(heartbeat.pingHandedOver(id, ping: ping, now: now))
    }

    mutating func pong(
        _ id: Generation, ping: UInt32, now: Milliseconds,
        using generator: inout some RandomNumberGenerator
    ) -> ConnectionReaction {
        guard id == generation else { return ConnectionReaction(.stale) }
        guard case .open(let open) = state else { return ConnectionReaction(verdictUnlessOpen) }
        let age = heartbeat.pingAge(now: now)
        let verdict = heartbeat.pong(id, ping: ping, now: now)
        guard verdict == .accepted else { return ConnectionReaction(verdict) }
        heartbeat.advanceNextPing(by: heartbeat.policy.advance(using: &generator))
        contradictPath()
        // It is a byte too: who answers is not silent.
        breakSilence(of: open, now: now)
        return ConnectionReaction(.accepted, roundTrip: age)
    }

    /// Kept as evidence; it proves nothing about our ping.
    mutating func unsolicitedPong(_ id: Generation) -> ConnectionReaction {
        guard id == generation else { return ConnectionReaction(.stale) }
        return ConnectionReaction(.unexpected)
    }

    mutating func reconnectionTime(
        _ id: Generation, _ time: Milliseconds
    ) -> ConnectionReaction {
        guard id == generation else { return ConnectionReaction(.stale) }
        guard case .open = state else { return ConnectionReaction(verdictUnlessOpen) }
        backoff.setBase(time)
        return ConnectionReaction(.accepted)
    }

    mutating func readingPaused(_ id: Generation) -> ConnectionReaction {
        guard id == generation else { return ConnectionReaction(.stale) }
        guard case .open(var open) = state else { return ConnectionReaction(verdictUnlessOpen) }
        guard !open.isReadingPaused else { return ConnectionReaction(.duplicate) }
        open.isReadingPaused = true
        state = .open(open)
        heartbeat.hold()
        return ConnectionReaction(.accepted)
    }

    mutating func readingResumed(_ id: Generation, now: Milliseconds) -> ConnectionReaction {
        guard id == generation else { return ConnectionReaction(.stale) }
        guard case .open(var open) = state else { return ConnectionReaction(verdictUnlessOpen) }
        guard open.isReadingPaused else { return ConnectionReaction(.duplicate) }
        open.isReadingPaused = false
        open.nextProbe = max(open.nextProbe, now)
        open.idleDeadline = now.moved(by: silence.limit)
        state = .open(open)
        if !isInBackground {
            silence.begins(now: now)
            heartbeat.release(now: now)
        }
        return ConnectionReaction(.accepted)
    }

    mutating func ended(
        _ id: Generation,
        _ cause: CloseCause,
        retryAfter: Milliseconds?,
        now: Milliseconds,
        using generator: inout some RandomNumberGenerator
    ) -> ConnectionReaction {
        guard id == generation else { return ConnectionReaction(.stale) }
        switch state {
        case .connecting, .open:
            let ended = end(cause, retryAfter: retryAfter, now: now, using: &generator)
            return ConnectionReaction(.accepted, ended: ended)
        case .closing:
            // Whatever ended the handshake, the program began it: one cause.
            return ConnectionReaction(.accepted, ended: endForGood(.closedLocally, now: now))
        case .idle, .waiting, .awaitingSnapshot, .suspended, .stopped:
            return ConnectionReaction(.alreadyEnded)
        }
    }

    /// The verdict on what only an open connection says, where the present one is not open.
    var verdictUnlessOpen: InputVerdict {
        switch state {
        case .connecting, .open, .closing: .unexpected
        case .idle, .waiting, .awaitingSnapshot, .suspended, .stopped: .alreadyEnded
        }
    }

    /// Ends the present generation and decides whether to come back.
    mutating func end(
        _ cause: CloseCause,
        retryAfter: Milliseconds? = nil,
        now: Milliseconds,
        using generator: inout some RandomNumberGenerator
    ) -> CloseFacts {
        var facts = facts(cause, now: now)
        facts.suspectedLifetime = suspicion.ended(facts, floor: policy.reconnect.lifetimeFloor)
        if case .open(let open) = state,
            open.since.moved(by: policy.reconnect.backoff.provenAfter).isReached(at: now)
        {
            backoff.proven()
        }
        switch RequestOutcome(cause) {
        case .failed(.notAuthorized), .failed(.serverFailed), .failed(.rejected): contradictPath()
        case .none, .succeeded, .failed: break
        }
        let advice = policy.reconnect.advice(on: cause)
        let wait = wait(on: advice, retryAfter: retryAfter, now: now, using: &generator)
        let isExhausted = policy.reconnect.attemptLimit.map { backoff.failures >= $0 } ?? false
        heartbeat.ended(generation)
        if isHopeless(advice) || isExhausted {
            state = .stopped(cause)
            return facts
        }
        state =
            switch advice {
            case .takeSnapshot: .awaitingSnapshot(wait)
            default: isInBackground ? .suspended(wait) : .waiting(wait)
            }
        return facts
    }

    /// A server answered: where the system says that there is no path, it is wrong.
    private mutating func contradictPath() {
        isPathContradicted = path == .unavailable
    }

    /// Ends the present generation and stays where it is.
    mutating func endForGood(_ cause: CloseCause, now: Milliseconds) -> CloseFacts {
        let facts = facts(cause, now: now)
        heartbeat.ended(generation)
        state = .stopped(cause)
        return facts
    }

    /// What is known of the present generation's end. Ask before the state is left.
    func facts(_ cause: CloseCause, now: Milliseconds) -> CloseFacts {
        let since: Milliseconds? =
            switch state {
            case .open(let open): open.since
            case .closing(_, let since): since
            case .idle, .connecting, .waiting, .awaitingSnapshot, .suspended, .stopped: nil
            }
        return CloseFacts(
            generation: generation, cause: cause, age: since.map { now.elapsed(since: $0) })
    }
}
