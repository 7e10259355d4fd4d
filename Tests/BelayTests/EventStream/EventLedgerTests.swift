import Belay
import BelayCore
import BelayTesting
import Testing

@Suite struct `A ledger of an app's own` {
    // E14, E16
    @Test(arguments: FailingLedger.Place.allCases)
    func `ends the stream by its own name when it fails`(place: FailingLedger.Place) async throws {
        let hook = SnapshotHook(on: .eventType("resync")) { _ in .from(EventID("9")) }
        let feed = try Feed(ledger: FailingLedger(at: place), snapshotHook: hook)
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
        let feed = try Feed(ledger: FailingLedger(at: .commit, times: 1))
        _ = feed.process()
        feed.open()
        feed.receive("id: 1\ndata: a\n\n")
        feed.loop.advance(by: 5_000)
        #expect(feed.events == ["a"])
        #expect(feed.source.ledger.cursor == EventID("1"))
        #expect(feed.eventRecords.map(\.result) == [.failed(attempt: 1), .committed])
    }
}

/// A block without data and a snapshot's cursor are stored where no event is: what a busy file or a
/// full disk does to a commit, it does to them.
@Suite struct `A place that cannot be stored` {
    /// What fails, and what the stream says that asks for it.
    struct Asked: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let place: FailingLedger.Place
        let text: String
        let result: EventRecord.Result
        let id: String

        static let all = [
            Asked(
                testDescription: "a block's", place: .moved, text: "id: 9\n\n", result: .moved,
                id: "9"),
            Asked(
                testDescription: "a snapshot's", place: .restarted,
                text: "event: resync\ndata: now\n\n", result: .restarted, id: "9"),
        ]
        static let commit = Asked(
            testDescription: "an event's", place: .commit, text: "id: 9\ndata: a\n\n",
            result: .committed, id: "9")
    }

    private func feed(
        _ asked: Asked, failing times: Int, on ledger: (any EventLedger)? = nil
    ) throws -> Feed {
        let hook = SnapshotHook(on: .eventType("resync")) { _ in .from(EventID("9")) }
        return try Feed(
            ledger: ledger
                ?? FailingLedger(at: asked.place, times: times, policy: ResumePolicy()),
            snapshotHook: hook)
    }

    private func read(_ feed: Feed, byDeliveries: Bool) -> Task<BelayError?, Never> {
        byDeliveries ? feed.deliver { try await $0.commit() } : feed.process()
    }

    // E10, E14, E16, E17
    @Test(arguments: Asked.all, [1, 2, 7])
    func `is stored after the waits of a commit, and the stream goes on`(
        asked: Asked, times: Int
    ) throws {
        let commit = try feed(.commit, failing: times)
        _ = commit.process()
        commit.open()
        commit.receive(Asked.commit.text)
        commit.loop.advance(by: 200_000)
        for byDeliveries in [false, true] {
            let feed = try feed(asked, failing: times)
            _ = read(feed, byDeliveries: byDeliveries)
            feed.open()
            feed.receive(asked.text)
            #expect(feed.source.ledger.cursor == nil)
            feed.loop.advance(by: 200_000)
            #expect(feed.source.ledger.cursor == EventID(asked.id))
            let results = (1...times).map { EventRecord.Result.failed(attempt: $0) }
            #expect(feed.eventRecords.map(\.result) == results + [asked.result])
            #expect(feed.eventRecords.allSatisfy { $0.id == EventID(asked.id) })
            #expect(feed.eventRecords.map(\.at) == commit.eventRecords.map(\.at))
            if asked.place == .restarted {
                feed.source.retryNow()
                feed.loop.run()
                feed.open(feed.channels.count - 1)
            }
            feed.receive("id: 10\ndata: b\n\n", on: feed.channels.count - 1)
            #expect(feed.events == ["b"])
            #expect(feed.source.ledger.cursor == EventID("10"))
        }
    }

    // E14, E16, E17
    @Test(arguments: Asked.all + [.commit])
    func `ends the stream after as many attempts as a commit, and is asked for anew`(
        asked: Asked
    ) async throws {
        let feed = try feed(asked, failing: 8)
        let processing = feed.process()
        feed.open()
        feed.receive(asked.text)
        feed.loop.advance(by: 200_000)
        let error = await processing.value
        #expect(error?.code == .ledgerFailed)
        #expect(error?.underlying == "Full()")
        let results = (1...7).map { EventRecord.Result.failed(attempt: $0) }
        #expect(feed.eventRecords.map(\.result) == results + [.gaveUp(attempt: 8)])
        #expect(feed.source.ledger.cursor == nil)
        #expect(feed.loop.armedTimers == 0)

        let next = try self.feed(asked, failing: 0, on: feed.source.ledger)
        _ = next.process()
        next.open()
        next.receive("id: 1\ndata: a\n\n" + asked.text)
        #expect(next.eventRecords.map(\.result) == [.committed, asked.result])
    }

    // E15
    @Test(arguments: Asked.all, [false, true])
    func `is not waited for any more when the stream is closed, or its task cancelled`(
        asked: Asked, isClosed: Bool
    ) async throws {
        let feed = try feed(asked, failing: .max)
        let processing = feed.process()
        feed.open()
        feed.receive(asked.text)
        #expect(feed.eventRecords.map(\.result) == [.failed(attempt: 1)])
        if isClosed { feed.source.close() } else { processing.cancel() }
        feed.loop.run()
        #expect(await processing.value?.code == (isClosed ? nil : .cancelled))
        #expect(feed.eventRecords.count == 1)
        #expect(feed.source.ledger.cursor == nil)
        #expect(feed.loop.armedTimers == 0)
        #expect(feed.channels.allSatisfy { $0.isAborted })
        // The ledger is let go, and knows nothing of the attempt.
        let next = try self.feed(asked, failing: 0, on: feed.source.ledger)
        _ = next.process()
        next.open()
        next.receive("id: 1\ndata: a\n\n")
        #expect(next.eventRecords.map(\.result) == [.committed])
    }
}
