import BelayCore
import BelayTransport

/// Sleeps in a domain's own time, virtual or real.
actor Sleeper {
    private let domain: any SerialDomain
    nonisolated var unownedExecutor: UnownedSerialExecutor { domain.executor }

    private var timer: (any DeadlineTimer)?
    private var sleep: (until: Milliseconds, continuation: CheckedContinuation<Void, Never>)?

    init(_ domain: any SerialDomain) {
        self.domain = domain
    }

    /// The domain's present moment.
    nonisolated var now: Milliseconds { domain.now }

    /// Returns after `length`, or at once when the task is cancelled. One sleep at a time.
    func sleep(for length: Milliseconds) async {
        precondition(sleep == nil, "two sleeps of one sleeper")
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume() }
                let until = domain.now.moved(by: length)
                sleep = (until, continuation)
                timer = domain.makeTimer { [weak self] in
                    self?.assumeIsolated { $0.fired() }
                }
                timer?.arm(at: until)
            }
        } onCancel: {
            interrupt()
        }
    }

    /// Ends the present sleep, if there is one, in the domain's next turn.
    nonisolated func interrupt() {
        domain.submit { [weak self] in
            self?.assumeIsolated { $0.wake() }
        }
    }

    /// The clock decides: a timer of the sleep before may fire once more after it was let go.
    private func fired() {
        guard let sleep else { return }
        guard sleep.until.isReached(at: domain.now) else {
            timer?.arm(at: sleep.until)
            return
        }
        wake()
    }

    private func wake() {
        timer = nil
        sleep.take()?.continuation.resume()
    }
}
