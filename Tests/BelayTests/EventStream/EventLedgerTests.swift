import Belay
import BelayCore
import BelayTesting
import BelayTransport
import Synchronization
import Testing

@Suite struct `A ledger of an app's own` {
    /// Fails in one place, and is a ledger in memory in all others.
    private final class Failing: EventLedger {
        struct Full: Error {}
        enum Place: CaseIterable { case acquire, offer, commit, moved, restarted }

        private let inner = MemoryLedger(policy: ResumePolicy(attemptLimit: 2))
        private let place: Place
        /// How often it still fails.
        private let failures: Mutex<Int>

        init(at place: Place, times: Int = .max) {
            self.place = place
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

    // E14, E16
    @Test(arguments: Failing.Place.allCases)
    private func `ends the stream by its own name when it fails`(place: Failing.Place) async throws
    {
        let hook = SnapshotHook(on: .eventType("resync")) { _ in .from(EventID("9")) }
        let feed = try Feed(ledger: Failing(at: place), snapshotHook: hook)
        let processing = feed.process()
        if !feed.channels.isEmpty {
            feed.open()
            let resync = place == .restarted ? "event: resync\ndata: now\n\n" : ""
            feed.receive(resync + "id: 1\n\nid: 2\ndata: a\n\n")
            feed.loop.advance(by: 5_000)
        }
        let error = await processing.value
        #expect(error?.code == .ledgerFailed)
        #expect(error?.underlying == "Full()")
        #expect(feed.source.ledger.cursor != EventID("2"))
        #expect(feed.loop.armedTimers == 0)
        #expect(feed.channels.allSatisfy { $0.isAborted })
    }

    // E6, E14
    @Test func `is asked again to store an event, and its handler is not`() throws {
        let feed = try Feed(ledger: Failing(at: .commit, times: 1))
        _ = feed.process()
        feed.open()
        feed.receive("id: 1\ndata: a\n\n")
        feed.loop.advance(by: 5_000)
        #expect(feed.events == ["a"])
        #expect(feed.source.ledger.cursor == EventID("1"))
        #expect(feed.eventRecords.map(\.result) == [.failed(attempt: 1), .committed])
    }
}
