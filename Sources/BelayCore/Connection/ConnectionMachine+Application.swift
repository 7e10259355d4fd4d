// What the application says: it wants a connection, none, another one; it left, it is back.

extension ConnectionMachine {
    mutating func connect(now: Milliseconds) -> ConnectionReaction {
        switch state {
        case .idle, .stopped:
            backoff.proven()  // A new life: earlier failures do not slow it.
            credentialRefusals = 0
            suspicion = LifetimeSuspicion()
            return ConnectionReaction(.accepted, open: begin(now: now))
        case .waiting, .suspended:
            // A user's retry is answered by the real attempt (P3).
            return ConnectionReaction(.accepted, open: begin(now: now))
        case .closing:
            let ended = facts(.closedLocally, now: now)
            backoff.proven()
            return ConnectionReaction(.accepted, ended: ended, open: begin(now: now))
        case .connecting, .open:
            return ConnectionReaction(.duplicate)  // One attempt at most.
        case .awaitingSnapshot:
            return ConnectionReaction(.unexpected)  // It would ask with the cursor that is too old.
        }
    }

    mutating func replace(now: Milliseconds) -> ConnectionReaction {
        switch state {
        case .connecting, .open:
            let ended = facts(.replaced, now: now)
            return ConnectionReaction(.accepted, ended: ended, open: begin(now: now))
        case .idle, .closing, .waiting, .awaitingSnapshot, .suspended, .stopped:
            return connect(now: now)  // There is nothing to replace.
        }
    }

    mutating func stop(now: Milliseconds) -> ConnectionReaction {
        switch state {
        case .open(let open):
            heartbeat.ended(generation)  // No beats while closing.
            state = .closing(
                deadline: now.moved(by: policy.closeTimeout), since: open.since)
            return ConnectionReaction(.accepted, close: generation)
        case .connecting:
            return ConnectionReaction(.accepted, ended: endForGood(.closedLocally, now: now))
        case .idle, .waiting, .awaitingSnapshot, .suspended:
            state = .stopped(.closedLocally)
            return ConnectionReaction(.accepted)
        case .closing, .stopped:
            return ConnectionReaction(.duplicate)
        }
    }

    mutating func background() -> ConnectionReaction {
        guard !isInBackground else { return ConnectionReaction(.duplicate) }
        isInBackground = true
        switch state {
        case .open:
            heartbeat.hold()
        case .waiting(let until, let earliest):
            state = .suspended(until: until, earliest: earliest)
        case .idle, .connecting, .closing, .awaitingSnapshot, .suspended, .stopped:
            // An attempt or a closing handshake goes on, and has its deadline; so does the app's
            // snapshot.
            break
        }
        return ConnectionReaction(.accepted)
    }

    mutating func foreground(now: Milliseconds) -> ConnectionReaction {
        guard isInBackground else { return ConnectionReaction(.duplicate) }
        isInBackground = false
        switch state {
        case .open(var open):
            // Nobody judged in the background, so silence counts from here, but not for long.
            if silence.limit != .never {
                open.idleDeadline = now.moved(by: policy.probeTimeout)
            }
            state = .open(open)
            if !open.isReadingPaused { silence.begins(now: now) }
            guard !open.isReadingPaused else { return ConnectionReaction(.accepted) }
            return ConnectionReaction(.accepted, ping: probe(now: now))
        case .suspended(let until, let earliest):
            // A server asked for this wait. Its app may come and go: that shortens nothing.
            guard earliest.isReached(at: now) else {
                state = .waiting(until: until, earliest: earliest)
                return ConnectionReaction(.accepted)
            }
            return ConnectionReaction(.accepted, open: begin(now: now))
        case .idle, .connecting, .closing, .waiting, .awaitingSnapshot, .stopped:
            return ConnectionReaction(.accepted)
        }
    }

    /// The transport may be created, unless the attempt was given up by now.
    mutating func prepared(_ id: Generation, now: Milliseconds) -> ConnectionReaction {
        guard id == generation else { return ConnectionReaction(.stale) }
        switch state {
        case .connecting(let deadline):
            return ConnectionReaction(deadline.isReached(at: now) ? .late : .accepted)
        case .open, .closing:
            return ConnectionReaction(.duplicate)  // It opened with that request.
        case .idle, .waiting, .awaitingSnapshot, .suspended, .stopped:
            return ConnectionReaction(.alreadyEnded)
        }
    }

    /// A handler may return after its connection was lost: that end is then the first failure, and
    /// the wait is drawn again as such, but never longer.
    mutating func progressed(
        _ id: Generation, now: Milliseconds, using generator: inout some RandomNumberGenerator
    ) -> ConnectionReaction {
        guard id == generation else { return ConnectionReaction(.stale) }
        switch state {
        case .open:
            backoff.proven()
        case .waiting(let until, let earliest):
            guard let wait = waitOfFirstFailure(using: &generator) else { break }
            let sooner = max(earliest, now).moved(by: wait)
            state = .waiting(until: min(until, sooner), earliest: earliest)
        case .awaitingSnapshot(let until, let earliest):
            guard let wait = waitOfFirstFailure(using: &generator) else { break }
            let sooner = max(earliest, now).moved(by: wait)
            state = .awaitingSnapshot(until: min(until, sooner), earliest: earliest)
        case .suspended(let until, let earliest):
            guard let wait = waitOfFirstFailure(using: &generator) else { break }
            let sooner = max(earliest, now).moved(by: wait)
            state = .suspended(until: min(until, sooner), earliest: earliest)
        case .closing:
            break
        case .connecting:
            return ConnectionReaction(.unexpected)
        case .idle, .stopped:
            return ConnectionReaction(.alreadyEnded)
        }
        return ConnectionReaction(.accepted)
    }

    /// `nil` where the end was counted as the first already.
    private mutating func waitOfFirstFailure(
        using generator: inout some RandomNumberGenerator
    ) -> Milliseconds? {
        guard backoff.failures > 1 else { return nil }
        backoff.proven()
        return backoff.failed(using: &generator)
    }

    /// The cursor is another now, or the snapshot failed and the server is asked again.
    mutating func snapshotEnded(_ id: Generation, now: Milliseconds) -> ConnectionReaction {
        guard id == generation else { return ConnectionReaction(.stale) }
        switch state {
        case .awaitingSnapshot(let until, let earliest):
            state =
                isInBackground
                ? .suspended(until: max(until, now), earliest: earliest)
                : .waiting(until: max(until, now), earliest: earliest)
            return ConnectionReaction(.accepted)
        case .connecting, .open, .closing:
            return ConnectionReaction(.unexpected)
        case .idle, .waiting, .suspended, .stopped:
            return ConnectionReaction(.alreadyEnded)
        }
    }

    /// A new generation; what was before is dead to every later report.
    private mutating func begin(now: Milliseconds) -> Generation {
        let generation = heartbeat.connect()
        state = .connecting(deadline: now.moved(by: policy.openTimeout))
        return generation
    }

    /// Begins the attempt that a wait was for.
    mutating func waited(now: Milliseconds) -> ConnectionReaction {
        ConnectionReaction(.accepted, open: begin(now: now))
    }

    /// A ping at once, or none where one is outstanding; its deadline is near either way.
    ///
    /// A connection whose heartbeat never pings, an event stream's, is judged by silence alone.
    mutating func probe(now: Milliseconds) -> ConnectionPing? {
        guard heartbeat.interval != .never else { return nil }
        return switch heartbeat.probe(now: now, within: policy.probeTimeout) {
        case .ping(let id): ConnectionPing(generation: id, number: heartbeat.pingNumber)
        case .close, nil: nil
        }
    }
}
