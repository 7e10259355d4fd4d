import BelayCore
import BelayTransport

/// Sleeps in a domain's own time, virtual or real.
actor Sleeper {
    private let domain: any SerialDomain
    nonisolated var unownedExecutor: UnownedSerialExecutor { domain.executor }

    private var timer: (any DeadlineTimer)?
    private var sleep: (until: Milliseconds, woken: Answer<Void>)?

    init(_ domain: any SerialDomain) {
        self.domain = domain
    }

    /// The domain's present moment.
    nonisolated var now: Milliseconds { domain.now }

    /// Returns after `length`, or at once when the task is cancelled. One sleep at a time.
    ///
    /// - Parameter isOver: Whether there is nothing to wait for any more. Whoever makes it so and
    ///   then interrupts is heard: it is asked in the turn that the sleep begins in.
    nonisolated func sleep(
        for length: Milliseconds, unless isOver: @escaping @Sendable () -> Bool
    ) async {
        let woken = Answer<Void>()
        domain.submit { [self] in
            assumeIsolated { sleeper in
                guard !isOver() else { return _ = woken.give(()) }
                sleeper.begin(length, woken)
            }
        }
        await woken.value(ifCancelled: ())
        if Task.isCancelled { interrupt() }
    }

    private func begin(_ length: Milliseconds, _ woken: Answer<Void>) {
        precondition(sleep == nil, "two sleeps of one sleeper")
        let until = domain.now.moved(by: length)
        sleep = (until, woken)
        timer = domain.makeTimer { [weak self] in
            self?.assumeIsolated { $0.fired() }
        }
        timer?.arm(at: until)
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
        sleep.take()?.woken.give(())
    }
}
