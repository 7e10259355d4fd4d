import BelayCore
import BelayTransport

/// Sleeps in a domain's own time, virtual or real.
actor Sleeper {
    private let domain: any SerialDomain
    nonisolated var unownedExecutor: UnownedSerialExecutor { domain.executor }

    private var timer: (any DeadlineTimer)?
    private var sleep: CheckedContinuation<Void, Never>?

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
                sleep = continuation
                timer = domain.makeTimer { [weak self] in
                    self?.assumeIsolated { $0.wake() }
                }
                timer?.arm(at: domain.now.moved(by: length))
            }
        } onCancel: {
            domain.submit { [weak self] in
                self?.assumeIsolated { $0.wake() }
            }
        }
    }

    private func wake() {
        timer = nil
        sleep.take()?.resume()
    }
}
