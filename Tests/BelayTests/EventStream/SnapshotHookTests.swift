import BelayCore
import BelayTesting
import BelayTransport
import Synchronization
import Testing

@testable import Belay

/// What a hook was asked, and the snapshots it answers with when the test says so.
private final class Snapshots: Sendable {
    struct Refused: Error {}

    private let asked = Mutex<[StaleCursor]>([])
    private let answers = Mutex<[Answer<Resumption?>]>([])
    private let cancelled = Mutex(0)

    var questions: [StaleCursor] { asked.withLock { $0 } }
    /// How often nobody waited for the snapshot any more.
    var cancellations: Int { cancelled.withLock { $0 } }

    func take(_ stale: StaleCursor) async throws -> Resumption {
        let answer = Answer<Resumption?>()
        asked.withLock { $0.append(stale) }
        answers.withLock { $0.append(answer) }
        guard let resumption = await answer.value(ifCancelled: nil) else {
            if Task.isCancelled { cancelled.withLock { $0 += 1 } }
            throw Refused()
        }
        return resumption
    }

    /// Answers the newest question; `nil` fails it.
    func answer(_ resumption: Resumption?) {
        answers.withLock { $0 }.last?.give(resumption)
    }
}

@Suite struct `A snapshot hook` {
    let g1 = Generation(1)
    private let snapshots = Snapshots()

    private func feed(
        _ ledger: any EventLedger = MemoryLedger(lastEventID: "7"),
        _ configuration: ConnectionConfiguration = ConnectionConfiguration()
    ) throws -> Feed {
        let field = try RequestField("X-Resume", "gone")
        return try Feed(
            ledger: ledger, configuration: configuration,
            snapshotHook: SnapshotHook(
                on: .status(410), .field(field), .eventType("resync")
            ) { [snapshots] in try await snapshots.take($0) })
    }

    /// Answers and lets the wait pass.
    private func answer(_ resumption: Resumption?, _ feed: Feed) {
        snapshots.answer(resumption)
        feed.loop.advance(by: 2_000)
    }

    // E2
    @Test(arguments: [.handshakeRefused(status: 410), .cursorTooOld] as [CloseCause])
    func `is asked where a response says it, and the stream goes on from its answer`(
        _ cause: CloseCause
    ) throws {
        let feed = try feed()
        _ = feed.process()
        #expect(feed.channels[0].request.lastEventID == "7")
        #expect(feed.channels[0].request.staleCursorFields.map(\.name) == ["X-Resume"])
        feed.channels[0].report(.ended(cause))
        feed.loop.advance(by: 1_000_000)
        #expect(feed.source.status == .awaitingSnapshot(g1))
        #expect(feed.channels.count == 1)
        #expect(feed.loop.armedTimers == 0)
        #expect(
            snapshots.questions == [StaleCursor(generation: g1, cursor: EventID("7"), cause: cause)]
        )
        answer(.from(EventID("40")), feed)
        #expect(feed.channels[1].request.lastEventID == "40")
        #expect(feed.eventRecords.map(\.result) == [.restarted])
        #expect(feed.eventRecords.map(\.cursor) == [EventID("40")])
    }

    // E2, E17
    @Test func `is asked in the place of an event that says it, behind those before`() throws {
        let feed = try feed(MemoryLedger())
        feed.failNext(1)
        _ = feed.process()
        feed.open()
        feed.receive(
            "id: 1\ndata: a\n\nevent: resync\nid: 2\ndata: now\n\nid: 3\ndata: not this\n\n")
        #expect(feed.channels[0].isAborted)
        #expect(snapshots.questions.isEmpty)
        feed.loop.advance(by: 2_000)
        #expect(feed.events == ["a", "a"])
        #expect(snapshots.questions.map(\.cursor) == [EventID("1")])
        answer(.from(EventID("9")), feed)
        #expect(feed.channels[1].request.lastEventID == "9")
        #expect(feed.events == ["a", "a"])
    }

    // E5, E6: the snapshot may be older than what was committed after it was taken.
    @Test func `forgets what was committed, but for the id that its snapshot stands at`() throws {
        let feed = try feed(MemoryLedger())
        _ = feed.process()
        feed.open()
        feed.receive("id: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 3\ndata: c\n\n")
        feed.receive("event: resync\ndata: now\n\n")
        answer(.from(EventID("1")), feed)
        #expect(feed.channels[1].request.lastEventID == "1")
        feed.open(1)
        feed.receive("id: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 3\ndata: c\n\n", on: 1)
        #expect(feed.events == ["a", "b", "c", "b", "c"])
    }

    @Test func `may begin from nothing`() throws {
        let feed = try feed()
        _ = feed.process()
        feed.channels[0].report(.ended(.cursorTooOld))
        feed.loop.run()
        answer(.from(nil), feed)
        #expect(feed.channels[1].request.lastEventID == nil)
    }

    // E14
    @Test func `may end the stream`() async throws {
        let feed = try feed()
        let processing = feed.process()
        feed.channels[0].report(.ended(.handshakeRefused(status: 410)))
        feed.loop.run()
        snapshots.answer(.stop)
        feed.loop.run()
        #expect(await processing.value?.code == .closed(.handshakeRefused(status: 410)))
        #expect(feed.source.ledger.cursor == EventID("7"))
        #expect(feed.loop.armedTimers == 0)
    }

    // E10
    @Test func `that fails is asked again, when the server has said so again, and later`() throws {
        let feed = try feed()
        _ = feed.process()
        feed.channels[0].report(.ended(.cursorTooOld))
        feed.loop.run()
        snapshots.answer(nil)
        feed.loop.advance(by: 1_000)
        #expect(feed.eventRecords.map(\.result) == [.snapshotFailed])
        #expect(feed.channels[1].request.lastEventID == "7")
        feed.channels[1].report(.ended(.cursorTooOld))
        feed.loop.run()
        #expect(snapshots.questions.count == 2)
        snapshots.answer(.from(EventID("8")))
        feed.loop.advance(by: 249)
        #expect(feed.channels.count == 2)
        feed.loop.advance(by: 2_000)
        #expect(feed.channels[2].request.lastEventID == "8")
    }

    // E15
    @Test func `is cancelled by a close, and nothing follows`() async throws {
        let feed = try feed()
        let processing = feed.process()
        feed.channels[0].report(.ended(.cursorTooOld))
        feed.loop.run()
        feed.source.close()
        feed.loop.run()
        #expect(await processing.value == nil)
        #expect(snapshots.cancellations == 1)
        feed.loop.advance(by: 1_000_000)
        #expect(feed.channels.count == 1)
        #expect(feed.loop.armedTimers == 0)
        #expect(feed.source.ledger.cursor == EventID("7"))
    }

    // E15
    @Test func `is cancelled with its task, and nothing follows`() async throws {
        let feed = try feed()
        let processing = feed.process()
        feed.channels[0].report(.ended(.cursorTooOld))
        feed.loop.run()
        processing.cancel()
        feed.loop.run()
        #expect(await processing.value?.code == .cancelled)
        #expect(snapshots.cancellations == 1)
        feed.loop.advance(by: 1_000_000)
        #expect(feed.channels.count == 1)
        #expect(feed.loop.armedTimers == 0)
    }

    @Test func `is not asked where the stream is over anyway`() async throws {
        var configuration = ConnectionConfiguration()
        configuration.attemptLimit = 1
        let feed = try feed(MemoryLedger(), configuration)
        let processing = feed.process()
        feed.channels[0].report(.ended(.cursorTooOld))
        feed.loop.run()
        #expect(await processing.value?.code == .closed(.cursorTooOld))
        #expect(snapshots.questions.isEmpty)
    }

    @Test func `is not asked where there is none: the stream stops`() async throws {
        var configuration = ConnectionConfiguration()
        configuration.statuses = [410: .takeSnapshot]
        let feed = try Feed(configuration: configuration)
        let processing = feed.process()
        feed.channels[0].report(.ended(.handshakeRefused(status: 410)))
        feed.loop.run()
        #expect(await processing.value?.code == .closed(.handshakeRefused(status: 410)))
    }
}
