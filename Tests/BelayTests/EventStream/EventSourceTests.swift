import Belay
import BelayCore
import BelayTesting
import BelayTransport
import BelayWire
import Synchronization
import Testing

/// A feed, its scripted transport and its handler, in virtual time on one thread.
private final class Feed: Sendable {
    struct Refused: Error {}

    let loop = ManualLoop()
    let transport: ScriptedEventStreamTransport
    let source: EventSource
    private let handled = Mutex<[String]>([])
    /// How often the handler still fails.
    private let failures = Mutex(0)
    private let sink = RecordSink()

    init(
        ledger: MemoryLedger = MemoryLedger(),
        configuration: ConnectionConfiguration = ConnectionConfiguration()
    ) throws {
        transport = ScriptedEventStreamTransport(domain: loop)
        source = EventSource(
            url: try ConnectionURL("http://127.0.0.1/events"),
            ledger: ledger,
            configuration: configuration,
            transport: transport,
            generator: SeededGenerator(seed: 1),
            evidence: { [sink] in sink.take($0) })
    }

    var events: [String] { handled.withLock { $0 } }
    var channels: [ScriptedEventStreamTransport.Scripted] { transport.channels }
    var eventRecords: [EventRecord] { sink.events }

    func failNext(_ times: Int) {
        failures.withLock { $0 = times }
    }

    func process() -> Task<BelayError?, Never> {
        let task = Task(executorPreference: loop) { [self] () -> BelayError? in
            do throws(BelayError) {
                try await source.process { event in
                    handled.withLock { $0.append(event.data) }
                    let fails = failures.withLock { left in
                        defer { left = max(0, left - 1) }
                        return left > 0
                    }
                    if fails { throw Refused() }
                }
                return nil
            } catch {
                return error
            }
        }
        loop.run()
        return task
    }

    func open(_ index: Int = 0) {
        channels[index].report(.opened(subprotocol: nil))
        loop.run()
    }

    func receive(_ text: String, on index: Int = 0) {
        channels[index].report(.received(Array(text.utf8)))
        loop.run()
    }

    /// Ends the newest connection and lets the first wait pass.
    func cut(_ cause: CloseCause = .reset) {
        channels[channels.count - 1].report(.ended(cause))
        loop.advance(by: 1_000)
    }
}

private final class RecordSink: Sendable {
    private let records = Mutex<[EventRecord]>([])
    var events: [EventRecord] { records.withLock { $0 } }

    func take(_ record: EvidenceRecord) {
        if case .event(let event) = record { records.withLock { $0.append(event) } }
    }
}

@Suite struct `An event source` {
    @Test func `resumes behind the last processed event`() throws {  // E2, E13
        let feed = try Feed()
        _ = feed.process()
        #expect(feed.channels[0].request.lastEventID == nil)
        feed.open()
        feed.receive("id: 1\ndata: queued\n\n")
        feed.cut(.peerFinished)
        #expect(feed.channels[1].request.lastEventID == "1")
        feed.open(1)
        feed.receive("id: 2\ndata: building\n\nid: 3\ndata: finished\n\n", on: 1)
        #expect(feed.events == ["queued", "building", "finished"])
        #expect(feed.source.ledger.cursor == EventID("3"))
    }

    @Test(arguments: 1..<"id: 2\ndata: building\n\n".utf8.count)
    func `gets an event again that was cut anywhere, and applies it once`(at cut: Int) throws {
        // E1, E3, E4, E6
        let feed = try Feed()
        _ = feed.process()
        feed.open()
        let second = "id: 2\ndata: building\n\n"
        feed.receive("id: 1\ndata: queued\n\n" + second.prefix(cut))
        feed.cut()
        #expect(feed.channels[1].request.lastEventID == "1")
        feed.open(1)
        feed.receive(second, on: 1)
        #expect(feed.events == ["queued", "building"])
    }

    @Test func `does not handle a replayed event again`() throws {  // E5, E6
        let feed = try Feed()
        _ = feed.process()
        feed.open()
        feed.receive("id: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 2\ndata: b\n\n")
        feed.cut()
        feed.open(1)
        feed.receive("id: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 3\ndata: c\n\n", on: 1)
        #expect(feed.events == ["a", "b", "c"])
        #expect(feed.eventRecords.map(\.result).count { $0 == .skipped } == 3)
    }

    @Test func `handles events without an id of their own, each`() throws {  // E11
        let feed = try Feed()
        _ = feed.process()
        feed.open()
        feed.receive("id: 1\ndata: a\n\ndata: b\n\ndata: c\n\n")
        #expect(feed.events == ["a", "b", "c"])
        #expect(feed.source.ledger.cursor == EventID("1"))
    }

    @Test func `moves its cursor by a block without data, and clears it by an empty id`() throws {
        // E11
        let feed = try Feed()
        _ = feed.process()
        feed.open()
        feed.receive("id: 7\n\n")
        feed.cut()
        #expect(feed.channels[1].request.lastEventID == "7")
        feed.open(1)
        feed.receive("id\ndata: x\n\n", on: 1)
        feed.cut()
        #expect(feed.channels[2].request.lastEventID == nil)
    }

    @Test func `keeps its cursor when the handler fails, and hands the event over again`() throws {
        // E14, E17
        let feed = try Feed()
        feed.failNext(2)
        _ = feed.process()
        feed.open()
        feed.receive("id: 1\ndata: a\n\nid: 2\ndata: b\n\n")
        #expect(feed.events == ["a"])
        #expect(feed.source.ledger.cursor == nil)
        feed.loop.advance(by: 5_000)
        #expect(feed.events == ["a", "a", "a", "b"])
        #expect(
            feed.eventRecords.map(\.result) == [
                .failed(attempt: 1), .failed(attempt: 2), .committed, .committed,
            ])
        #expect(feed.eventRecords.map(\.cursor) == [nil, nil, EventID("1"), EventID("2")])
    }

    @Test func `gives up by policy, before the event`() async throws {  // E14
        let ledger = MemoryLedger(policy: ResumePolicy(attemptLimit: 2))
        let feed = try Feed(ledger: ledger)
        feed.failNext(100)
        let processing = feed.process()
        feed.open()
        feed.receive("id: 1\ndata: a\n\n")
        feed.loop.advance(by: 5_000)
        let error = await processing.value
        #expect(error?.code == .handlerGaveUp)
        #expect(error?.underlying == "Refused()")
        #expect(ledger.cursor == nil)
        #expect(feed.channels[0].isAborted)
    }

    @Test func `commits an event whose connection was lost while it was handled`() throws {
        let feed = try Feed()
        feed.failNext(1)
        _ = feed.process()
        feed.open()
        feed.receive("id: 1\ndata: a\n\n")
        feed.channels[0].report(.ended(.reset))
        feed.loop.advance(by: 5_000)
        #expect(feed.events == ["a", "a"])
        feed.open(1)
        feed.receive("id: 1\ndata: a\n\n", on: 1)
        #expect(feed.events == ["a", "a"])
    }

    @Test func `leaves nothing behind when it is cancelled`() async throws {  // E15
        let feed = try Feed()
        let processing = feed.process()
        feed.open()
        feed.channels[0].report(.ended(.reset))
        feed.loop.run()
        #expect(feed.loop.armedTimers == 1)
        processing.cancel()
        feed.loop.run()
        #expect(await processing.value?.code == .cancelled)
        #expect(feed.loop.armedTimers == 0)
        feed.loop.advance(by: 1_000_000)
        #expect(feed.channels.count == 1)
    }

    @Test func `leaves nothing behind when it is cancelled while a handler waits`() async throws {
        // E15
        let feed = try Feed()
        feed.failNext(1)
        let processing = feed.process()
        feed.open()
        feed.receive("id: 1\ndata: a\n\n")
        processing.cancel()
        feed.loop.run()
        #expect(await processing.value?.code == .cancelled)
        #expect(feed.loop.armedTimers == 0)
        #expect(feed.channels[0].isAborted)
        #expect(feed.source.ledger.cursor == nil)
    }

    @Test(
        arguments: [.toldToStop, .wrongContentType, .handshakeRefused(status: 404)] as [CloseCause])
    func `stops where the server says so`(_ cause: CloseCause) async throws {  // E10
        let feed = try Feed()
        let processing = feed.process()
        feed.channels[0].report(.ended(cause))
        feed.loop.advance(by: 1_000_000)
        #expect(feed.channels.count == 1)
        #expect(await processing.value?.code == (cause == .toldToStop ? nil : .closed(cause)))
    }

    @Test func `stops reading while its handler lags, and goes on when it caught up`() throws {
        // E12
        var configuration = ConnectionConfiguration()
        configuration.delivery = DeliveryLimit(elements: 4)
        let feed = try Feed(configuration: configuration)
        feed.failNext(1)
        _ = feed.process()
        feed.open()
        feed.receive((1...6).map { "id: \($0)\ndata: \($0)\n\n" }.joined())
        #expect(feed.channels[0].orders == [.setReading(.paused)])
        feed.loop.advance(by: 2_000)
        #expect(feed.channels[0].orders == [.setReading(.paused), .setReading(.flowing)])
        #expect(feed.events == ["1", "1", "2", "3", "4", "5", "6"])
    }

    @Test func `waits from the server's reconnection time on`() throws {  // E11
        let feed = try Feed()
        _ = feed.process()
        feed.open()
        feed.receive("retry: 250\n\n")
        feed.channels[0].report(.ended(.peerFinished))
        feed.loop.advance(by: 250)
        #expect(feed.channels.count == 2)
    }

    @Test func `ends a silent stream by its idle timeout`() throws {  // E9
        var configuration = ConnectionConfiguration()
        configuration.idleTimeout = .seconds(15)
        let feed = try Feed(configuration: configuration)
        _ = feed.process()
        feed.open()
        feed.loop.advance(by: 14_999)
        feed.receive(": still there\n")
        feed.loop.advance(by: 14_999)
        #expect(!feed.channels[0].isAborted)
        feed.loop.advance(by: 1)
        #expect(feed.channels[0].isAborted)
    }

    @Test func `ends with a typed cause at its limits, after the events before`() async throws {
        let loop = ManualLoop()
        let transport = ScriptedEventStreamTransport(domain: loop)
        let source = EventSource(
            url: try ConnectionURL("http://127.0.0.1/"), limits: EventStreamLimits(lineBytes: 64),
            transport: transport)
        let handled = Mutex<[String]>([])
        let processing = Task(executorPreference: loop) { () -> BelayError? in
            do throws(BelayError) {
                try await source.process { event in handled.withLock { $0.append(event.data) } }
                return nil
            } catch {
                return error
            }
        }
        loop.run()
        transport.channels[0].report(.opened(subprotocol: nil))
        let bytes = "id: 1\ndata: a\n\ndata: " + String(repeating: "x", count: 100)
        transport.channels[0].report(.received(Array(bytes.utf8)))
        loop.run()
        #expect(await processing.value?.code == .closed(.limitExceeded))
        #expect(handled.withLock { $0 } == ["a"])
    }

    @Test func `refuses a second reader`() async throws {
        let feed = try Feed()
        _ = feed.process()
        feed.open()
        let second = feed.process()
        #expect(await second.value?.code == .alreadyReading)
        feed.receive("data: still read\n\n")
        #expect(feed.events == ["still read"])
    }
}
