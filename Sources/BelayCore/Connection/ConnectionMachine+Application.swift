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
        case .waiting(let wait):
            state = .suspended(wait)
        case .idle, .connecting, .closing, .awaitingSnapshot, .suspended, .stopped:
            // An attempt or a closing handshake goes on, and has its deadline; so does the app's
            // snapshot.
            break
        }
        return ConnectionReaction(.accepted)
    }

    mutating func foreground(now: Milliseconds) -> ConnectionReaction {
        guard isInBackground else { return woken(now: now) }
        isInBackground = false
        switch state {
        case .open(var open):
            // Nobody judged in the background, so silence counts from here, but not for long.
            if silence.limit != .never || open.idleDeadline != .never {
                open.idleDeadline = now.moved(by: policy.probeTimeout)
            }
            state = .open(open)
            if !open.isReadingPaused { silence.begins(now: now) }
            let ping = doubt(open, now: now, patience: policy.probeTimeout)
            return ConnectionReaction(.accepted, ping: ping)
        case .suspended(let wait):
            // A server asked for this wait. Its app may come and go: that shortens nothing.
            guard wait.earliest.isReached(at: now) else {
                state = .waiting(wait)
                return ConnectionReaction(.accepted)
            }
            return ConnectionReaction(.accepted, open: begin(now: now))
        case .idle, .connecting, .closing, .waiting, .awaitingSnapshot, .stopped:
            return ConnectionReaction(.accepted)
        }
    }

    /// The app is in the foreground and says so again: the machine woke, or a window was in front.
    /// Whatever it was, an open connection may be dead; asked again it is after a spacing.
    private mutating func woken(now: Milliseconds) -> ConnectionReaction {
        guard case .open(let open) = state else { return ConnectionReaction(.duplicate) }
        let before = self
        let ping = doubt(open, now: now, notBefore: soonest(after: lastDoubt))
        return ConnectionReaction(self == before ? .duplicate : .accepted, ping: ping)
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
        case .open(var open):
            backoff.proven()
            planRotation(of: &open)
            state = .open(open)
        case .waiting(let wait):
            state = .waiting(redrawn(wait, now: now, using: &generator))
        case .awaitingSnapshot(let wait):
            state = .awaitingSnapshot(redrawn(wait, now: now, using: &generator))
        case .suspended(let wait):
            state = .suspended(redrawn(wait, now: now, using: &generator))
        case .closing:
            break
        case .connecting:
            return ConnectionReaction(.unexpected)
        case .idle, .stopped:
            return ConnectionReaction(.alreadyEnded)
        }
        return ConnectionReaction(.accepted)
    }

    /// The cursor is another now, or the snapshot failed and the server is asked again.
    mutating func snapshotEnded(_ id: Generation, now: Milliseconds) -> ConnectionReaction {
        guard id == generation else { return ConnectionReaction(.stale) }
        switch state {
        case .awaitingSnapshot(var wait):
            wait.until = max(wait.until, now)
            state = isInBackground ? .suspended(wait) : .waiting(wait)
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
        owesDoubt = false  // It goes by the path that is there.
        state = .connecting(deadline: now.moved(by: policy.openTimeout))
        return generation
    }

    /// Begins the attempt that a wait was for.
    mutating func waited(now: Milliseconds) -> ConnectionReaction {
        ConnectionReaction(.accepted, open: begin(now: now))
    }
}
