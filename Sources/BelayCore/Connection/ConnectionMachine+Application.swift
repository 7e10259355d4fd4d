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
        }
    }

    mutating func replace(now: Milliseconds) -> ConnectionReaction {
        switch state {
        case .connecting, .open:
            let ended = facts(.replaced, now: now)
            return ConnectionReaction(.accepted, ended: ended, open: begin(now: now))
        case .idle, .closing, .waiting, .suspended, .stopped:
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
        case .idle, .waiting, .suspended:
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
        case .idle, .connecting, .closing, .suspended, .stopped:
            // An attempt or a closing handshake goes on, and has its deadline.
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
            if policy.idleTimeout != .never {
                open.idleDeadline = now.moved(by: policy.probeTimeout)
            }
            state = .open(open)
            guard !open.isReadingPaused else { return ConnectionReaction(.accepted) }
            return ConnectionReaction(.accepted, ping: probe(now: now))
        case .suspended(let until, let earliest):
            // A server asked for this wait. Its app may come and go: that shortens nothing.
            guard earliest.isReached(at: now) else {
                state = .waiting(until: until, earliest: earliest)
                return ConnectionReaction(.accepted)
            }
            return ConnectionReaction(.accepted, open: begin(now: now))
        case .idle, .connecting, .closing, .waiting, .stopped:
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
        case .idle, .waiting, .suspended, .stopped:
            return ConnectionReaction(.alreadyEnded)
        }
    }

    mutating func progressed(_ id: Generation) -> ConnectionReaction {
        guard id == generation else { return ConnectionReaction(.stale) }
        switch state {
        case .open:
            backoff.proven()
            return ConnectionReaction(.accepted)
        case .closing:
            return ConnectionReaction(.accepted)
        case .connecting:
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
