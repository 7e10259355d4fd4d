import Belay
import BelayCore
import BelayTesting
import BelayTransport
import Testing

@testable import BelaySQLite

@Suite struct `An event source with a durable ledger` {
    /// A source with scripted connections, in virtual time on one thread.
    private final class Feed: Sendable {
        let loop = ManualLoop()
        let transport: ScriptedEventStreamTransport
        let source: EventSource
        let ledger: SQLiteLedger

        init(
            _ folder: Folder, policy: ResumePolicy = ResumePolicy(),
            snapshotHook: SnapshotHook? = nil
        ) throws {
            transport = ScriptedEventStreamTransport(domain: loop)
            ledger = try SQLiteLedger(
                path: folder.path(), stream: "orders", policy: policy, busyTimeout: .zero)
            try ledger.transaction { try $0.run("CREATE TABLE IF NOT EXISTS effect (id TEXT)") }
            source = EventSource(
                url: try ConnectionURL("http://127.0.0.1/events"), ledger: ledger,
                snapshotHook: snapshotHook,
                transport: transport, generator: SeededGenerator(seed: 1))
        }

        func process(
            _ handler:
                @escaping @Sendable (ServerSentEvent, borrowing SQLiteTransaction) throws -> Void =
                { try $1.run("INSERT INTO effect VALUES (?)", $0.id) }
        ) -> Task<BelayError?, Never> {
            let task = Task(executorPreference: loop) { [source] () -> BelayError? in
                do throws(BelayError) {
                    try await source.process(handler)
                    return nil
                } catch {
                    return error
                }
            }
            loop.run()
            return task
        }

        func receive(_ text: String) {
            transport.channels[0].report(.opened(subprotocol: nil))
            transport.channels[0].report(.received(Array(text.utf8)))
            loop.run()
        }

        /// What the file says of each id.
        var results: [String: Int64] {
            get throws {
                let rows = try ledger.transaction {
                    try $0.rows("SELECT id, attempt FROM belay_event")
                }
                return rows.reduce(into: [:]) { results, row in
                    guard case .text(let id) = row[0], case .integer(let number) = row[1] else {
                        return
                    }
                    results[id] = number
                }
            }
        }

        var effects: [String] {
            get throws { try ledger.texts("SELECT id FROM effect") }
        }
    }

    // E2, E4, E5, E13
    @Test func `goes on in its next life behind what was committed, and applies it once`() throws {
        let folder = try Folder()
        let first = try Feed(folder)
        let life = first.process()
        first.receive("id: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 2\ndata: b\n\n")
        #expect(first.source.ledger.cursor == EventID("2"))
        life.cancel()
        first.loop.run()

        let second = try Feed(folder)
        _ = second.process()
        #expect(second.transport.channels[0].request.lastEventID == "2")
        second.receive("id: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 3\ndata: c\n\n")
        #expect(try second.effects == ["1", "2", "3"])
    }

    // E14
    @Test func `gets an event again whose handler threw, and stores nothing of the first try`()
        async throws
    {
        struct Refused: Error {}
        let folder = try Folder()
        let feed = try Feed(folder, policy: ResumePolicy(attemptLimit: 2))
        let processing = feed.process { event, transaction in
            try transaction.run("INSERT INTO effect VALUES (?)", event.id)
            if event.data == "bad" { throw Refused() }
        }
        feed.receive("id: 1\ndata: good\n\nid: 2\ndata: bad\n\n")
        feed.loop.advance(by: 5_000)
        let error = await processing.value
        #expect(error?.code == .handlerGaveUp)
        #expect(error?.underlying == "Refused()")
        #expect(try feed.effects == ["1"])
        #expect(feed.ledger.cursor == EventID("1"))
    }

    // E6, E14
    @Test(arguments: [false, true])
    func `stores a delivery's effect with its commit, or again, or without it`(
        byDeliveries: Bool
    ) throws {
        struct Refused: Error {}
        let folder = try Folder()
        let feed = try Feed(folder)
        let attempts = Counter()
        let effect: @Sendable (ServerSentEvent, borrowing SQLiteTransaction) throws -> Void = {
            event, transaction in
            try transaction.run("INSERT INTO effect VALUES (?)", event.id)
            if event.data == "poison" { throw SkipEvent() }
            attempts.count()
            if attempts.value == 2 { throw Refused() }
        }
        let reading =
            byDeliveries
            ? Task(executorPreference: feed.loop) { [source = feed.source] () -> BelayError? in
                do throws(BelayError) {
                    for try await delivery in source.deliveries {
                        try await delivery.commit { try effect(delivery.event, $0) }
                    }
                    return nil
                } catch {
                    return error
                }
            } : feed.process(effect)
        defer { reading.cancel() }
        feed.loop.run()
        feed.receive("id: 1\ndata: a\n\nid: 2\ndata: poison\n\nid: 3\ndata: c\n\n")
        #expect(feed.ledger.cursor == EventID("2"))
        feed.loop.advance(by: 5_000)
        #expect(try feed.effects == ["1", "3"])
        #expect(attempts.value == 3)
        #expect(feed.ledger.cursor == EventID("3"))
        #expect(try feed.results == ["1": 1, "2": -1, "3": 2])
    }

    // E5, E14: what the file says of an event is all that is left to count effects by.
    @Test(arguments: [false, true])
    func `stores of an event that is passed over that it had no effect`(
        byDeliveries: Bool
    ) throws {
        struct Refused: Error {}
        let folder = try Folder()
        let feed = try Feed(folder)
        let tries = Counter()
        let reading = Task(executorPreference: feed.loop) { [source = feed.source] in
            guard byDeliveries else {
                return try await source.process { event in
                    guard event.data == "poison" else { return }
                    tries.count()
                    throw tries.value == 1 ? Refused() : SkipEvent()
                }
            }
            for try await delivery in source.deliveries {
                guard delivery.event.data == "poison" else {
                    try await delivery.commit()
                    continue
                }
                tries.count()
                if tries.value > 1 { try await delivery.skip() }
            }
        }
        defer { reading.cancel() }
        feed.loop.run()
        feed.receive("id: 1\ndata: a\n\nid: 2\ndata: poison\n\nid: 3\ndata: c\n\n")
        feed.loop.advance(by: 5_000)
        #expect(try feed.results == ["1": 1, "2": -1, "3": 1])
        let id = try #require(EventID("2"))
        let record = try feed.ledger.record(of: id)
        #expect(record == .init(id: id, result: .passedOver, cursor: id))
    }

    // E14, E16
    @Test func `says that the ledger failed, and not the handler, when the file stays locked`()
        async throws
    {
        let folder = try Folder()
        let feed = try Feed(folder, policy: ResumePolicy(attemptLimit: 2))
        let processing = feed.process()
        let raw = try RawDatabase(folder.path())
        try raw.run("BEGIN IMMEDIATE")
        feed.receive("id: 1\ndata: a\n\n")
        feed.loop.advance(by: 5_000)
        raw.close()
        let error = await processing.value
        #expect(error?.code == .ledgerFailed)
        #expect(error?.underlying?.hasPrefix(feed.ledger.path) == true)
        #expect(try feed.effects == [])
    }

    // E14
    @Test func `waits for a locked file, and goes on`() throws {
        let folder = try Folder()
        let feed = try Feed(folder)
        _ = feed.process()
        let raw = try RawDatabase(folder.path())
        try raw.run("BEGIN IMMEDIATE")
        feed.receive("id: 1\ndata: a\n\n")
        #expect(feed.ledger.cursor == nil)
        raw.close()
        feed.loop.advance(by: 5_000)
        #expect(try feed.effects == ["1"])
    }

    // E2, E11, E14
    @Test(arguments: ["id: 9\n\n", "event: resync\ndata: now\n\n"])
    func `waits for a locked file at a block and at a snapshot, and goes on`(text: String) throws {
        let folder = try Folder()
        let hook = SnapshotHook(on: .eventType("resync")) { _ in .from(EventID("9")) }
        let feed = try Feed(folder, snapshotHook: hook)
        let processing = feed.process()
        defer { processing.cancel() }
        feed.receive("id: 1\ndata: a\n\n")
        let raw = try RawDatabase(folder.path())
        try raw.run("BEGIN IMMEDIATE")
        feed.transport.channels[0].report(.received(Array(text.utf8)))
        feed.loop.advance(by: 3_000)
        #expect(feed.ledger.cursor == EventID("1"))
        raw.close()
        feed.loop.advance(by: 10_000)
        #expect(feed.ledger.cursor == EventID("9"))
        #expect(try feed.ledger.texts("SELECT cursor FROM belay_stream") == ["9"])
        let channel = try #require(feed.transport.channels.last)
        channel.report(.opened(subprotocol: nil))
        channel.report(.received(Array("id: 10\ndata: b\n\n".utf8)))
        feed.loop.run()
        #expect(try feed.effects == ["1", "10"])
    }

    @Test func `refuses a stream that somebody processes already`() async throws {
        let folder = try Folder()
        let first = try Feed(folder)
        _ = first.process()
        let second = try Feed(folder)
        #expect(await second.process().value?.code == .alreadyReading)
        #expect(second.transport.channels.isEmpty)
    }

    // E14
    @Test func `does not ask a handler again whose event only could not be stored`() throws {
        let folder = try Folder()
        let feed = try Feed(folder)
        let handled = Counter()
        let task = Task(executorPreference: feed.loop) { [source = feed.source] in
            try await source.process { _ in handled.count() }
        }
        defer { task.cancel() }
        feed.loop.run()
        let raw = try RawDatabase(folder.path())
        try raw.run("BEGIN IMMEDIATE")
        feed.receive("id: 1\ndata: a\n\n")
        raw.close()
        feed.loop.advance(by: 5_000)
        #expect(handled.value == 1)
        #expect(feed.ledger.cursor == EventID("1"))
    }

    @Test func `traps where the ledger has no transactions of SQLite`() async {
        await #expect(processExitsWith: .failure) {
            let source = EventSource(url: try ConnectionURL("http://127.0.0.1/"))
            try await source.process { _, _ in }
        }
        await #expect(processExitsWith: .failure) {
            let loop = ManualLoop()
            let transport = ScriptedEventStreamTransport(domain: loop)
            let source = EventSource(
                url: try ConnectionURL("http://127.0.0.1/"), transport: transport)
            let reading = Task(executorPreference: loop) {
                for try await delivery in source.deliveries { try await delivery.commit { _ in } }
            }
            loop.run()
            transport.channels[0].report(.opened(subprotocol: nil))
            transport.channels[0].report(.received(Array("data: a\n\n".utf8)))
            loop.run()
            reading.cancel()
        }
    }
}
