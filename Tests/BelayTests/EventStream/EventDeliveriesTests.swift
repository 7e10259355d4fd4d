import Belay
import BelayCore
import BelayTesting
import BelayTransport
import Synchronization
import Testing

@Suite struct `The deliveries of an event source` {
    private static let first = "id: 1\ndata: a\n\n"
    private static let two = first + "id: 2\ndata: b\n\n"

    // E4, E13
    @Test func `move the cursor by commit, and by nothing before it`() throws {
        let feed = try Feed()
        let cursors = Mutex<[EventID?]>([])
        _ = feed.deliver { delivery in
            cursors.withLock { $0.append(feed.source.ledger.cursor) }
            try await delivery.commit()
            cursors.withLock { $0.append(feed.source.ledger.cursor) }
        }
        feed.open()
        feed.receive(Self.two)
        #expect(feed.events == ["a", "b"])
        #expect(
            cursors.withLock { $0 } == [nil, EventID("1"), EventID("1"), EventID("2")])
        feed.cut()
        #expect(feed.channels[1].request.lastEventID == "2")
        feed.open(1)
        feed.receive(Self.two + "id: 3\ndata: c\n\n", on: 1)
        #expect(feed.events == ["a", "b", "c"])
    }

    // E14, E17
    @Test func `come again where the next one is asked for and they are not settled`() throws {
        let feed = try Feed()
        let attempts = Mutex<[Int]>([])
        _ = feed.deliver { delivery in
            attempts.withLock { $0.append(delivery.attempt) }
            if delivery.attempt == 3 { try await delivery.commit() }
        }
        feed.open()
        feed.receive(Self.first)
        #expect(feed.events == ["a"])
        #expect(feed.source.ledger.cursor == nil)
        feed.loop.advance(by: 5_000)
        #expect(attempts.withLock { $0 } == [1, 2, 3])
        #expect(
            feed.eventRecords.map(\.result) == [
                .failed(attempt: 1), .failed(attempt: 2), .committed,
            ])
    }

    /// There is nothing to deliver, and nothing to commit.
    // E11
    @Test func `leave out a block without data, which moves the cursor in its place`() throws {
        let feed = try Feed()
        let cursors = Mutex<[EventID?]>([])
        _ = feed.deliver { delivery in
            cursors.withLock { $0.append(feed.source.ledger.cursor) }
            if delivery.event.data == "b", delivery.attempt == 1 { return }
            try await delivery.commit()
        }
        feed.open()
        feed.receive(Self.first + "id: 7\n\nid: 2\ndata: b\n\nid: 8\n\n")
        // What comes behind an event that is not settled waits for it.
        #expect(feed.eventRecords.map(\.result) == [.committed, .moved, .failed(attempt: 1)])
        #expect(feed.source.ledger.cursor == EventID("7"))
        feed.loop.advance(by: 5_000)
        #expect(cursors.withLock { $0 } == [nil, EventID("7"), EventID("7")])
        #expect(feed.events == ["a", "b", "b"])
        #expect(feed.eventRecords.suffix(2).map(\.result) == [.committed, .moved])
        #expect(feed.source.ledger.cursor == EventID("8"))
    }

    // E14
    @Test func `end by policy where one is never settled, before it`() async throws {
        let feed = try Feed(ledger: MemoryLedger(policy: ResumePolicy(attemptLimit: 2)))
        let reading = feed.deliver { _ in }
        feed.open()
        feed.receive(Self.two)
        feed.loop.advance(by: 5_000)
        let error = await reading.value
        #expect(error?.code == .handlerGaveUp)
        #expect(error?.underlying?.contains("neither committed nor skipped") == true)
        #expect(feed.events == ["a", "a"])
        #expect(feed.source.ledger.cursor == nil)
        #expect(feed.eventRecords.map(\.result) == [.failed(attempt: 1), .gaveUp(attempt: 2)])
        #expect(feed.channels[0].isAborted)
        #expect(feed.loop.armedTimers == 0)
    }

    // E14
    @Test func `come again after a failure, and end with its text at the limit`() async throws {
        let feed = try Feed(ledger: MemoryLedger(policy: ResumePolicy(attemptLimit: 2)))
        let reading = feed.deliver { delivery in
            delivery.fail(Feed.Refused())
            delivery.fail(Feed.Refused())  // Once is enough.
        }
        feed.open()
        feed.receive(Self.first)
        #expect(feed.events == ["a"])
        feed.loop.advance(by: 5_000)
        let error = await reading.value
        #expect(error?.code == .handlerGaveUp)
        #expect(error?.underlying == "Refused()")
        #expect(feed.events == ["a", "a"])
    }

    // E14, E17
    @Test func `are passed over by skip, and do not come again`() throws {
        let feed = try Feed()
        _ = feed.deliver { delivery in
            if delivery.event.data == "a" { return try await delivery.skip() }
            try await delivery.commit()
        }
        feed.open()
        feed.receive(Self.two)
        #expect(feed.source.ledger.cursor == EventID("2"))
        feed.cut()
        feed.open(1)
        feed.receive(Self.two, on: 1)
        #expect(feed.events == ["a", "b"])
        #expect(
            feed.eventRecords.map(\.result) == [.passedOver, .committed, .skipped, .skipped])
        #expect(feed.eventRecords.map(\.cursor).first == EventID("1"))
    }

    // E15
    @Test func `begin with the same event when the loop is entered again`() throws {
        let feed = try Feed()
        _ = feed.deliver { _ in throw Feed.Refused() }
        feed.open()
        feed.receive(Self.two)
        #expect(feed.channels[0].isAborted)
        #expect(feed.source.ledger.cursor == nil)
        #expect(feed.loop.armedTimers == 0)
        _ = feed.deliver { try await $0.commit() }
        #expect(feed.channels[1].request.lastEventID == nil)
        feed.open(1)
        feed.receive(Self.two, on: 1)
        #expect(feed.events == ["a", "a", "b"])
    }

    // E15
    @Test func `leave the event where the task is cancelled`() async throws {
        let feed = try Feed()
        let reading = feed.deliver { _ in withUnsafeCurrentTask { $0?.cancel() } }
        feed.open()
        feed.receive(Self.first)
        #expect(await reading.value?.code == .cancelled)
        #expect(feed.eventRecords.map(\.result) == [.failed(attempt: 1)])
        #expect(feed.source.ledger.cursor == nil)
        #expect(feed.loop.armedTimers == 0)
        #expect(feed.channels[0].isAborted)
    }

    // E10, E15
    @Test(arguments: [nil, .toldToStop, .handshakeRefused(status: 404)] as [CloseCause?])
    func `end as process does`(_ cause: CloseCause?) async throws {
        let feed = try Feed()
        let reading = feed.deliver { try await $0.commit() }
        if let cause {
            feed.channels[0].report(.ended(cause))
        } else {
            feed.source.close()
        }
        feed.loop.run()
        let isOrderly = cause == nil || cause == .toldToStop
        #expect(await reading.value?.code == (isOrderly ? nil : cause.map { .closed($0) }))
    }

    @Test func `are one loop's at a time`() async throws {
        let feed = try Feed()
        _ = feed.deliver { try await $0.commit() }
        feed.open()
        #expect(await feed.deliver { try await $0.commit() }.value?.code == .alreadyReading)
        #expect(await feed.process().value?.code == .alreadyReading)
        feed.receive(Self.first)
        #expect(feed.source.ledger.cursor == EventID("1"))
    }

    // E12
    @Test func `stop the reading while the loop's body lags`() throws {
        var configuration = ConnectionConfiguration()
        configuration.delivery = DeliveryLimit(elements: 4)
        let feed = try Feed(configuration: configuration)
        _ = feed.deliver { delivery in
            if delivery.attempt > 1 || delivery.event.data != "1" { try await delivery.commit() }
        }
        feed.open()
        feed.receive((1...6).map { "id: \($0)\ndata: \($0)\n\n" }.joined())
        #expect(feed.channels[0].orders == [.setReading(.paused)])
        feed.loop.advance(by: 2_000)
        #expect(feed.channels[0].orders == [.setReading(.paused), .setReading(.flowing)])
        #expect(feed.events == ["1", "1", "2", "3", "4", "5", "6"])
    }
}
