import Belay
import BelayCore
import BelayTesting
import BelayTransport
import Testing

/// Every door by which an app gives an event stream its cursor. A server's own ids are no door: the
/// cursor stays before one that no request can say (`An event source`).
@Suite struct `A cursor that no request can say` {
    static let ids = ["a\nb", "a\rb", "a\0b", "\u{7F}"]

    @Test(arguments: ids)
    func `ends the stream where it stands in the ledger, before anything is asked`(
        _ id: String
    ) async throws {
        let feed = try Feed(ledger: MemoryLedger(lastEventID: id))
        let processing = feed.process()
        feed.loop.advance(by: 1_000_000)
        let error = await processing.value
        #expect(error?.code == .cursorCannotBeAskedFor(.ledger))
        #expect(error?.generation == .zero)
        #expect(feed.channels.isEmpty)
        #expect(feed.loop.armedTimers == 0)
        #expect(feed.source.ledger.cursor == EventID(id))
        // It is let go, and refused again.
        #expect(await feed.deliver { _ in }.value?.code == .cursorCannotBeAskedFor(.ledger))
    }

    @Test func `is refused with its byte and where that stands`() async throws {
        let feed = try Feed(ledger: MemoryLedger(lastEventID: "ü1\n2"))
        #expect(await feed.process().value?.underlying == "byte 10 at offset 3 of the id")
    }

    @Test(arguments: ids)
    func `ends the stream where a snapshot answers it, and the cursor stays`(
        _ id: String
    ) async throws {
        let hook = SnapshotHook(on: .status(410)) { _ in .from(EventID(id)) }
        let feed = try Feed(ledger: MemoryLedger(lastEventID: "7"), snapshotHook: hook)
        let processing = feed.process()
        feed.channels[0].report(.ended(.handshakeRefused(status: 410)))
        feed.loop.advance(by: 1_000_000)
        let error = await processing.value
        #expect(error?.code == .cursorCannotBeAskedFor(.snapshot))
        #expect(error?.generation == Generation(1))
        #expect(feed.channels.count == 1)
        #expect(feed.loop.armedTimers == 0)
        #expect(feed.source.ledger.cursor == EventID("7"))
        let record = try #require(feed.eventRecords.last)
        #expect(record.result == .snapshotFailed)
        #expect(record.id == EventID(id))
        #expect(record.cannotBeAskedFor)
    }

    @Test func `of a ledger that moves there by itself ends the next attempt, for good`()
        async throws
    {
        let feed = try Feed(ledger: LooseLedger())
        let processing = feed.process()
        feed.open()
        feed.receive("id: a\u{1}\ndata: a\n\n")
        feed.cut()
        feed.loop.advance(by: 1_000_000)
        #expect(await processing.value?.code == .closed(.requestInvalid(.lastEventID)))
        #expect(feed.channels.count == 1)
        #expect(feed.loop.armedTimers == 0)
        #expect(feed.source.status == .stopped(.requestInvalid(.lastEventID)))
        #expect(feed.source.outcome == .failed(.notConnected))
    }
}

/// A ledger of an app's own that follows its events wherever they lead.
private final class LooseLedger: EventLedger {
    private let inner = MemoryLedger()
    private let newest = MemoryLedger()

    var cursor: EventID? { newest.cursor }
    func acquire() -> Bool { inner.acquire() }
    func release() { inner.release() }
    func offer(_ offer: ResumeMachine.Offer) -> ResumeMachine.Decision {
        newest.restarted(at: offer.lastEventID)
        return inner.offer(offer)
    }
    func commit() { inner.commit() }
    func failed(
        using generator: inout some RandomNumberGenerator
    ) -> ResumeMachine.FailureAction { inner.failed(using: &generator) }
    func abandoned() { inner.abandoned() }
    func moved(to id: EventID?) { inner.moved(to: id) }
    func restarted(at id: EventID?) { inner.restarted(at: id) }
}
