import Belay
import BelayCore
import BelayTesting
import BelayTransport
import BelayWire
import Synchronization
import Testing

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

    @Test func `comes back from a status that the app says is passing`() throws {  // E10
        var configuration = ConnectionConfiguration()
        configuration.statuses = [404: .retry, 503: .stop]
        let feed = try Feed(configuration: configuration)
        _ = feed.process()
        for number in 0..<3 {
            feed.channels[number].report(.ended(.handshakeRefused(status: 404)))
            feed.loop.run()
            feed.source.retryNow()
            feed.loop.run()
        }
        #expect(feed.channels.count == 4)
        feed.channels[3].report(.ended(.handshakeRefused(status: 503)))
        feed.loop.advance(by: 1_000_000)
        #expect(feed.channels.count == 4)
        #expect(feed.source.status == .stopped(.handshakeRefused(status: 503)))
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

    /// Ids are kept as long as data are.
    @Test func `stops reading also where only ids are long`() throws {  // E12
        var configuration = ConnectionConfiguration()
        configuration.delivery = DeliveryLimit(bytes: 10_000)
        let feed = try Feed(configuration: configuration)
        feed.failNext(1)
        _ = feed.process()
        feed.open()
        let long = String(repeating: "i", count: 5_000)
        feed.receive((1...4).map { "id: \(long)\($0)\ndata: \($0)\n\n" }.joined())
        #expect(feed.channels[0].orders == [.setReading(.paused)])
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
        configuration.idleTimeout = .after(.seconds(15))
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

    // E15
    @Test func `returns when it is closed, and says that it is stopped`() async throws {
        let feed = try Feed()
        let processing = feed.process()
        feed.open()
        feed.source.close()
        feed.loop.run()
        #expect(await processing.value == nil)
        #expect(feed.source.status == .stopped(.closedLocally))
        #expect(feed.channels[0].orders == [.abort])
        #expect(feed.loop.armedTimers == 0)
    }

    // E14, E15
    @Test func `asks a failing handler no more once it is closed`() async throws {
        let feed = try Feed(ledger: MemoryLedger(policy: ResumePolicy(attemptLimit: nil)))
        feed.failNext(.max)
        let processing = feed.process()
        feed.open()
        feed.receive("id: 1\ndata: a\n\n")
        feed.source.close()
        feed.loop.run()
        #expect(await processing.value == nil)
        #expect(feed.events == ["a"])
        #expect(feed.source.ledger.cursor == nil)
        #expect(feed.loop.armedTimers == 0)
    }

    // E14
    @Test func `begins with the same event again after its handler gave up`() async throws {
        let ledger = MemoryLedger(policy: ResumePolicy(attemptLimit: 1))
        let feed = try Feed(ledger: ledger)
        feed.failNext(1)
        let processing = feed.process()
        feed.open()
        feed.receive("id: 1\ndata: a\n\nid: 2\ndata: b\n\n")
        #expect(await processing.value?.code == .handlerGaveUp)
        _ = feed.process()
        #expect(feed.channels[1].request.lastEventID == nil)
        feed.open(1)
        feed.receive("id: 1\ndata: a\n\nid: 2\ndata: b\n\n", on: 1)
        #expect(feed.events == ["a", "a", "b"])
        #expect(ledger.cursor == EventID("2"))
    }

    // E17
    @Test func `says where its cursor stays because no request can say an id`() throws {
        let feed = try Feed()
        _ = feed.process()
        feed.open()
        // A control byte in an id of its own, in one that is inherited, and in one without data.
        feed.receive("id: 1\ndata: a\n\nid: 2\u{1}\ndata: b\n\ndata: c\n\nid: 3\u{1}\n\n")
        feed.failNext(1)
        feed.receive("id: 4\u{1}\ndata: d\n\n")
        feed.loop.advance(by: 2_000)
        feed.receive("id: 4\u{1}\ndata: d\n\nid: 5\ndata: e\n\n")
        let records = feed.eventRecords
        #expect(
            records.map(\.result) == [
                .committed, .committed, .committed, .moved, .failed(attempt: 1), .committed,
                .skipped, .committed,
            ])
        #expect(
            records.map(\.cannotBeAskedFor) == [
                false, true, true, true, false, true, false, false,
            ])
        #expect(records.dropLast().allSatisfy { $0.cursor == EventID("1") })
        #expect(records.last?.cursor == EventID("5"))
    }

    // E14, E17
    @Test func `passes over an event whose handler says so, and hands it over no more`() throws {
        let feed = try Feed()
        feed.failNext(1, with: SkipEvent())
        _ = feed.process()
        feed.open()
        feed.receive("id: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 1\ndata: a\n\n")
        #expect(feed.events == ["a", "b"])
        #expect(feed.eventRecords.map(\.result) == [.passedOver, .committed, .skipped])
        #expect(feed.eventRecords.map(\.cursor) == [EventID("1"), EventID("2"), EventID("2")])
    }

    // E17
    @Test func `records a handler that failed because its task was cancelled`() async throws {
        let loop = ManualLoop()
        let transport = ScriptedEventStreamTransport(domain: loop)
        let records = Records()
        let source = EventSource(
            url: try ConnectionURL("http://127.0.0.1/"), transport: transport,
            evidence: { records.take($0) })
        let processing = Task(executorPreference: loop) { () -> BelayError? in
            do throws(BelayError) {
                try await source.process { _ in
                    withUnsafeCurrentTask { $0?.cancel() }
                    throw CancellationError()
                }
                return nil
            } catch {
                return error
            }
        }
        loop.run()
        transport.channels[0].report(.opened(subprotocol: nil))
        transport.channels[0].report(.received(Array("id: 1\ndata: a\n\n".utf8)))
        loop.run()
        #expect(await processing.value?.code == .cancelled)
        #expect(records.event.map(\.result) == [.failed(attempt: 1)])
        #expect(source.ledger.cursor == nil)
    }

    @Test func `does not share its ledger with another one at the same time`() async throws {
        let ledger = MemoryLedger()
        let feed = try Feed(ledger: ledger)
        let processing = feed.process()
        let other = try Feed(loop: feed.loop, ledger: ledger)
        #expect(await other.process().value?.code == .alreadyReading)
        #expect(other.channels.isEmpty)
        processing.cancel()
        feed.loop.run()
        _ = other.process()
        #expect(other.channels.count == 1)
    }

    // E12
    @Test func `opens its next connection paused while the handler lags, and stays bounded`()
        throws
    {
        var configuration = ConnectionConfiguration()
        configuration.delivery = DeliveryLimit(elements: 4)
        let ledger = MemoryLedger(policy: ResumePolicy(attemptLimit: nil))
        let feed = try Feed(ledger: ledger, configuration: configuration)
        feed.failNext(1)
        _ = feed.process()
        feed.open()
        let events = (1...6).map { "id: \($0)\ndata: \($0)\n\n" }.joined()
        feed.receive(events)
        feed.channels[0].report(.ended(.reset))
        feed.loop.run()
        feed.source.retryNow()
        feed.loop.run()
        feed.open(1)
        #expect(feed.channels[1].orders == [.setReading(.paused)])
        feed.loop.advance(by: 2_000)
        #expect(feed.channels[1].orders == [.setReading(.paused), .setReading(.flowing)])
        feed.receive(events, on: 1)
        #expect(feed.events == ["1", "1", "2", "3", "4", "5", "6"])
    }
}
