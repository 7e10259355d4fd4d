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
