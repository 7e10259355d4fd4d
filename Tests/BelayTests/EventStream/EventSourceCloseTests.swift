import Belay
import BelayCore
import BelayTesting
import BelayTransport
import BelayWire
import Synchronization
import Testing

/// Who may hear a close, and what follows it.
@Suite struct `An event source that is closed` {
    /// The two loops over its events.
    enum Loop: CaseIterable {
        case process, deliveries
    }

    private static let two = "id: 1\ndata: a\n\nid: 2\ndata: b\n\n"

    /// How a reading ended, if it has: a test that waited for one that goes on would hang.
    private final class Reading: Sendable {
        enum End: Equatable {
            case returned
            case threw(BelayError.Code?)
        }

        private let ended = Mutex<End?>(nil)
        var end: End? { ended.withLock { $0 } }

        func end(_ end: End) { ended.withLock { $0 = end } }
    }

    /// Reads by `loop` when its task's turn comes; `handler` is given each event, and may throw.
    @discardableResult
    private func read(
        _ feed: Feed, by loop: Loop = .process, cancelled: Bool = false,
        _ handler: @escaping @Sendable (ServerSentEvent) async throws -> Void = { _ in }
    ) -> Reading {
        let reading = Reading()
        let task = Task(executorPreference: feed.loop) {
            do {
                switch loop {
                case .process: try await feed.source.process(handler)
                case .deliveries: try await Self.deliver(feed, to: handler)
                }
                reading.end(.returned)
            } catch {
                reading.end(.threw((error as? BelayError)?.code))
            }
        }
        if cancelled { task.cancel() }
        return reading
    }

    private static func deliver(
        _ feed: Feed, to handler: @Sendable (ServerSentEvent) async throws -> Void
    ) async throws {
        for try await delivery in feed.source.deliveries {
            do {
                try await handler(delivery.event)
            } catch {
                delivery.fail(error)
                continue
            }
            try await delivery.commit()
        }
    }

    /// It returned at once, and nothing of it is left.
    private func expectNothing(of reading: Reading, _ feed: Feed) {
        feed.loop.run()
        #expect(feed.source.status == .stopped(.closedLocally))
        #expect(feed.loop.armedTimers == 0)
        #expect(reading.end == .returned)
        #expect(feed.loop.now == 0)
    }

    // MARK: Before it begins

    // E15
    @Test(arguments: Loop.allCases)
    func `does not open where its task has not run yet, and opens for the next`(
        _ loop: Loop
    ) throws {
        let feed = try Feed()
        let reading = read(feed, by: loop)
        feed.source.close()
        expectNothing(of: reading, feed)
        #expect(feed.channels.isEmpty)
        read(feed, by: loop)
        feed.loop.run()
        #expect(feed.channels.count == 1)
    }

    // E15
    @Test func `does not open for the first call, however long before it was closed`() throws {
        let feed = try Feed()
        feed.source.close()
        feed.loop.run()
        expectNothing(of: read(feed), feed)
        #expect(feed.channels.isEmpty)
        #expect(feed.records.connection.map(\.after) == [.stopped(.closedLocally)])
    }

    // E15
    @Test(arguments: 0...2)
    func `does not open where it was called and has not begun, in each of its lives`(
        before lives: Int
    ) throws {
        let ledger = SlowLedger()
        let feed = try Feed(ledger: ledger)
        for _ in 0..<lives {
            let life = read(feed)
            feed.loop.run()
            feed.source.close()
            feed.loop.run()
            #expect(life.end == .returned)
        }
        #expect(feed.channels.count == lives)
        ledger.whenAcquired { feed.source.close() }
        expectNothing(of: read(feed), feed)
        #expect(feed.channels.count == lives)
        // It is let go, and the next call connects.
        ledger.whenAcquired {}
        read(feed)
        feed.loop.run()
        #expect(feed.channels.count == lives + 1)
    }

    /// Closing twice, or tidying up behind a loop that has ended, must not end the next one.
    // C1 of the field's reports.
    @Test(arguments: [CloseCause.toldToStop, .handshakeRefused(status: 404), .closedLocally])
    func `opens again where it was closed between two lives`(_ cause: CloseCause) throws {
        let feed = try Feed()
        let first = read(feed)
        feed.loop.run()
        switch cause {
        case .closedLocally: feed.source.close()
        default: feed.channels[0].report(.ended(cause))
        }
        feed.loop.run()
        #expect(first.end != nil)
        feed.source.close()
        feed.loop.run()
        read(feed)
        feed.loop.run()
        #expect(feed.channels.count == 2)
    }

    // C1 of the field's reports.
    @Test func `opens again where its first task was cancelled as well before it ran`() throws {
        let feed = try Feed()
        let first = read(feed, cancelled: true)
        feed.source.close()
        feed.loop.run()
        #expect(first.end == .threw(.cancelled))
        #expect(feed.channels.isEmpty)
        read(feed)
        feed.loop.run()
        #expect(feed.channels.count == 1)
    }

    // MARK: While it waits

    // E14, E15
    @Test(arguments: Loop.allCases)
    func `does not wait for another attempt where its handler closes and fails`(
        _ loop: Loop
    ) throws {
        let feed = try Feed()
        let reading = read(feed, by: loop) { _ in
            feed.source.close()
            throw Feed.Refused()
        }
        feed.loop.run()
        feed.open()
        feed.receive(Self.two)
        expectNothing(of: reading, feed)
        #expect(feed.eventRecords.map(\.result) == [.failed(attempt: 1)])
        #expect(feed.source.ledger.cursor == nil)
        #expect(feed.channels[0].isAborted)
    }

    // E14, E15
    @Test(arguments: Loop.allCases)
    func `does not wait to store again what its handler closed behind`(_ loop: Loop) throws {
        let feed = try Feed(ledger: FailingLedger(at: .commit, policy: ResumePolicy()))
        let reading = read(feed, by: loop) { _ in feed.source.close() }
        feed.loop.run()
        feed.open()
        feed.receive(Self.two)
        feed.loop.run()
        let isTold = loop == .deliveries  // By its own commit.
        #expect(reading.end == (isTold ? .threw(.closed(.closedLocally)) : .returned))
        #expect(feed.loop.now == 0)
        #expect(feed.loop.armedTimers == 0)
        #expect(feed.source.ledger.cursor == nil)
    }

    // E15
    @Test func `does not heed a snapshot whose hook closed`() throws {
        let asked = Mutex<EventSource?>(nil)
        let hook = SnapshotHook(on: .status(410)) { _ in
            asked.withLock { $0 }?.close()
            return .from(EventID("8"))
        }
        let feed = try Feed(ledger: MemoryLedger(lastEventID: "7"), snapshotHook: hook)
        asked.withLock { $0 = feed.source }
        let reading = read(feed)
        feed.loop.run()
        feed.channels[0].report(.ended(.handshakeRefused(status: 410)))
        expectNothing(of: reading, feed)
        #expect(feed.source.ledger.cursor == EventID("7"))
        #expect(feed.eventRecords.isEmpty)
        asked.withLock { $0 = nil }
    }

    // MARK: What had arrived

    // E13, E15
    @Test(arguments: Loop.allCases)
    func `hands over nothing more of what had arrived, which comes in another life`(
        _ loop: Loop
    ) throws {
        let feed = try Feed()
        let handled = Mutex<[String]>([])
        let reading = read(feed, by: loop) { event in
            handled.withLock { $0.append(event.data) }
            if event.data == "2" { feed.source.close() }
        }
        feed.loop.run()
        feed.open()
        let thirty = (1...30).map { "id: \($0)\ndata: \($0)\n\n" }.joined()
        feed.receive(thirty + "id: block\n\n")
        expectNothing(of: reading, feed)
        #expect(handled.withLock { $0 } == ["1", "2"])
        // The one in hand was committed, and nothing is recorded of the others.
        #expect(feed.eventRecords.map(\.result) == [.committed, .committed])
        #expect(feed.source.ledger.cursor == EventID("2"))
        read(feed, by: loop) { event in handled.withLock { $0.append(event.data) } }
        feed.loop.run()
        #expect(feed.channels[1].request.lastEventID == "2")
        feed.open(1)
        feed.receive(thirty, on: 1)
        #expect(handled.withLock { $0 } == (1...30).map(String.init))
    }

    @Test func `tells its end all the same, and no comment before it`() throws {
        let loop = ManualLoop()
        let transport = ScriptedEventStreamTransport(domain: loop)
        let told = Mutex<[EventStreamAside]>([])
        let source = EventSource(
            url: try ConnectionURL("http://127.0.0.1/"), transport: transport,
            asides: { aside in told.withLock { $0.append(aside) } })
        _ = Task(executorPreference: loop) {
            try? await source.process { event in
                source.close()
                if event.data == "fails" { throw Feed.Refused() }
            }
        }
        loop.run()
        transport.channels[0].report(.opened(subprotocol: nil))
        transport.channels[0].report(.received(Array("data: fails\n\n: after\n".utf8)))
        loop.run()
        let ends = told.withLock { $0 }.map { aside -> CloseCause? in
            if case .closed(let end) = aside { end.cause } else { nil }
        }
        #expect(ends == [.closedLocally])
    }

    /// Nothing of it waits for the peer: there is no moment in which a close could be taken back.
    @Test(arguments: Loop.allCases)
    func `is not opened by a retry or a replacement that follows`(_ loop: Loop) throws {
        let feed = try Feed()
        let reading = read(feed, by: loop) { _ in
            feed.source.close()
            feed.source.retryNow()
            feed.source.reconnect()
        }
        feed.loop.run()
        feed.open()
        feed.receive(Self.two)
        expectNothing(of: reading, feed)
        #expect(feed.channels.count == 1)
        #expect(feed.source.ledger.cursor == EventID("1"))
    }
}

/// A ledger whose acquiring takes so long that something happens meanwhile.
private final class SlowLedger: EventLedger {
    private let inner = MemoryLedger()
    private let meanwhile = Mutex<@Sendable () -> Void>({})

    func whenAcquired(_ action: @escaping @Sendable () -> Void) {
        meanwhile.withLock { $0 = action }
    }

    var cursor: EventID? { inner.cursor }
    func acquire() -> Bool {
        meanwhile.withLock { $0 }()
        return inner.acquire()
    }
    func release() { inner.release() }
    func offer(_ offer: ResumeMachine.Offer) -> ResumeMachine.Decision { inner.offer(offer) }
    func commit() { inner.commit() }
    func failed(
        using generator: inout some RandomNumberGenerator
    ) -> ResumeMachine.FailureAction { inner.failed(using: &generator) }
    func abandoned() { inner.abandoned() }
    func moved(to id: EventID?) { inner.moved(to: id) }
    func restarted(at id: EventID?) { inner.restarted(at: id) }
}
