// How long to stay away after an end. What a server asks for goes above what chance draws.

extension ConnectionMachine {
    /// A wait: whatever a hint says, no shorter than `least`.
    struct Wait: Hashable, Sendable {
        let least: Milliseconds
        let whole: Milliseconds
    }

    /// Counts the failure, and draws the wait that its advice asks for.
    ///
    /// A `Retry-After` is the least; the usual wait comes on top, or a fleet that was told the same
    /// second would come back in it. It stands in place of what we would guess, and for this wait
    /// only: nothing of it is kept.
    mutating func wait(
        on advice: ReconnectAdvice,
        retryAfter: Milliseconds?,
        using generator: inout some RandomNumberGenerator
    ) -> Wait {
        let numbers = policy.reconnect
        let longest = max(backoff.ceiling, numbers.backoff.cap)
        let usual = backoff.failed(using: &generator)
        let wait =
            switch advice {
            case .retry, .askForCredentials, .takeSnapshot, .stop:
                Wait(least: 0, whole: usual)
            case .retryAfterRestart:
                Wait(
                    least: numbers.restartWait.lowerBound,
                    whole: .random(in: numbers.restartWait, using: &generator))
            case .retryLater:
                Wait(
                    least: longest / 2,
                    whole: .random(in: longest / 2...longest, using: &generator))
            }
        guard let retryAfter, advice != .stop else { return wait }
        let told = min(max(retryAfter, 0), numbers.backoff.serverLimit)
        return Wait(least: told, whole: told.moved(by: usual))
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
