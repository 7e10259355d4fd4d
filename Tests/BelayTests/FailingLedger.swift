import Belay
import BelayCore
import Synchronization

/// Fails in one place, and is a ledger in memory in all others.
final class FailingLedger: EventLedger {
    struct Full: Error {}
    enum Place: CaseIterable { case acquire, offer, commit, moved, restarted }

    private let inner: MemoryLedger
    private let place: Place
    /// How often it still fails.
    private let failures: Mutex<Int>

    init(
        at place: Place, times: Int = .max, policy: ResumePolicy = ResumePolicy(attemptLimit: 2)
    ) {
        self.place = place
        inner = MemoryLedger(policy: policy)
        failures = Mutex(times)
    }

    var cursor: EventID? { inner.cursor }

    func acquire() throws -> Bool {
        try fail(at: .acquire)
        return inner.acquire()
    }

    func release() { inner.release() }

    func offer(_ offer: ResumeMachine.Offer) throws -> ResumeMachine.Decision {
        try fail(at: .offer)
        return inner.offer(offer)
    }

    func commit() throws {
        try fail(at: .commit)
        inner.commit()
    }

    func failed(
        using generator: inout some RandomNumberGenerator
    ) -> ResumeMachine.FailureAction { inner.failed(using: &generator) }

    func abandoned() { inner.abandoned() }

    func moved(to id: EventID?) throws {
        try fail(at: .moved)
        inner.moved(to: id)
    }

    func restarted(at id: EventID?) throws {
        try fail(at: .restarted)
        inner.restarted(at: id)
    }

    private func fail(at here: Place) throws {
        guard here == place else { return }
        let fails = failures.withLock { left in
            defer { left = max(0, left - 1) }
            return left > 0
        }
        if fails { throw Full() }
    }
}
