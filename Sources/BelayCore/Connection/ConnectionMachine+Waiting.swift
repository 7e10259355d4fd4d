// How long to stay away after an end. What a server asks for goes above what chance draws; what the
// path says moves the end of a wait between its bounds.

extension ConnectionMachine {
    /// A time without transport, as the end before it decided it.
    struct Wait: Hashable, Sendable {
        /// A server may have asked for it: no hint and no return brings an attempt before.
        let earliest: Milliseconds
        /// When the attempt comes.
        var until: Milliseconds
        /// Whatever a path says, the attempt comes no later.
        let latest: Milliseconds
    }

    /// Counts the failure, and draws the wait that its advice asks for.
    ///
    /// A `Retry-After` is the least; the usual wait comes on top, or a fleet that was told the same
    /// second would come back in it. It stands in place of what we would guess, and for this wait
    /// only: nothing of it is kept.
    mutating func wait(
        on advice: ReconnectAdvice,
        retryAfter: Milliseconds?,
        now: Milliseconds,
        using generator: inout some RandomNumberGenerator
    ) -> Wait {
        let numbers = policy.reconnect
        let longest = longestWait
        let usual = backoff.failed(using: &generator)
        var (least, whole): (Milliseconds, Milliseconds) =
            switch advice {
            case .retry, .askForCredentials, .takeSnapshot, .stop:
                (0, usual)
            case .retryAfterRestart:
                (
                    numbers.restartWait.lowerBound,
                    .random(in: numbers.restartWait, using: &generator)
                )
            case .retryLater:
                (longest / 2, .random(in: longest / 2...longest, using: &generator))
            }
        if let retryAfter, advice != .stop {
            least = min(max(retryAfter, 0), numbers.backoff.serverLimit)
            whole = least.moved(by: usual)
        }
        let wait = Wait(
            earliest: now.moved(by: least), until: now.moved(by: whole),
            latest: now.moved(by: max(whole, pathlessWait)))
        return isPathMissing ? stretched(wait, using: &generator) : wait
    }

    /// Whether attempts fail in a row while the system says that there is no path. The first may
    /// fail for any reason, and systems are wrong: a simulator says so for ever.
    var isPathMissing: Bool {
        path == .unavailable && !isPathContradicted && backoff.failures > 1
    }

    /// Without a path, the attempt comes in the second half of `missingPathWait`: it will probably
    /// fail, and costs a phone its battery. It comes, for the system may be wrong.
    func stretched(_ wait: Wait, using generator: inout some RandomNumberGenerator) -> Wait {
        var wait = wait
        let half = pathlessWait / 2
        let late = (wait.latest - half) + Milliseconds.random(in: 0...half, using: &generator)
        wait.until = max(wait.until, late)
        return wait
    }

    /// The wait of a first failure in place of a later one's, where that is shorter: the connection
    /// before had been worth its place.
    mutating func redrawn(
        _ wait: Wait, now: Milliseconds, using generator: inout some RandomNumberGenerator
    ) -> Wait {
        guard backoff.failures > 1 else { return wait }
        backoff.proven()
        var wait = wait
        let usual = backoff.failed(using: &generator)
        wait.until = min(wait.until, max(wait.earliest, now).moved(by: usual))
        return wait
    }

    /// The longest that a missing path may make a wait now.
    private var pathlessWait: Milliseconds {
        min(longestWait, max(backoff.ceiling, policy.missingPathWait))
    }

    /// The longest that failures alone may ever make a wait.
    private var longestWait: Milliseconds {
        max(backoff.ceiling, policy.reconnect.backoff.cap)
    }

    /// Whether an attempt after `advice` would only be refused again.
    mutating func isHopeless(_ advice: ReconnectAdvice) -> Bool {
        switch advice {
        case .retry, .retryAfterRestart, .retryLater:
            return false
        case .askForCredentials:
            guard credentialRefusals < policy.reconnect.credentialAttempts else { return true }
            credentialRefusals += 1
            return false
        case .takeSnapshot:
            return !policy.reconnect.takesSnapshots
        case .stop:
            return true
        }
    }
}
