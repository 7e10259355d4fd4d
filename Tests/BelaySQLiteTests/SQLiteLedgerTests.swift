import Belay
import BelayCore
import BelayTesting
import Testing

@testable import BelaySQLite

@Suite struct `A durable ledger` {
    private func event(_ id: String?, last: String? = nil) -> ResumeMachine.Offer {
        ResumeMachine.Offer(
            ownID: id.flatMap { EventID($0) }, lastEventID: (last ?? id).flatMap { EventID($0) })
    }

    private func ledger(
        _ folder: Folder, stream: String = "orders", policy: ResumePolicy = ResumePolicy()
    ) throws -> SQLiteLedger {
        let ledger = try SQLiteLedger(path: folder.path(), stream: stream, policy: policy)
        try ledger.transaction { try $0.run("CREATE TABLE IF NOT EXISTS effect (id TEXT)") }
        return ledger
    }

    // E2, E5, E17
    @Test func `has effect, id, result and cursor when it is opened again`() throws {
        let folder = try Folder()
        try ledger(folder).take("1") { try $0.run("INSERT INTO effect VALUES (?)", "1") }
        let again = try ledger(folder)
        let id = try #require(EventID("1"))
        #expect(again.cursor == id)
        let record = try again.record(of: id)
        #expect(record == .init(id: id, result: .committed(attempt: 1), cursor: id))
        #expect(try again.texts("SELECT id FROM effect") == ["1"])
        let decision = try again.hold { try $0.offer(event("1")) }
        #expect(decision == .skipCommitted)
    }

    // E5, E14, E17
    @Test func `has nothing of an event whose handler threw`() throws {
        struct Refused: Error {}
        let folder = try Folder()
        let ledger = try ledger(folder)
        var chance = SeededGenerator(seed: 1)
        try ledger.hold { ledger in
            _ = try ledger.offer(event("1"))
            #expect(throws: HandlerFailure.self) {
                try ledger.commit { transaction in
                    try transaction.run("INSERT INTO effect VALUES ('half')")
                    throw Refused()
                }
            }
            #expect(ledger.cursor == nil)
            #expect(try ledger.texts("SELECT id FROM effect") == [])
            _ = ledger.failed(using: &chance)
            try ledger.commit { try $0.run("INSERT INTO effect VALUES ('whole')") }
        }
        #expect(try ledger.texts("SELECT id FROM effect") == ["whole"])
        let id = try #require(EventID("1"))
        let record = try ledger.record(of: id)
        #expect(record == .init(id: id, result: .committed(attempt: 2), cursor: id))
    }

    // E5, E6
    @Test func `knows every id it ever committed, beyond any window`() throws {
        let folder = try Folder()
        let ledger = try ledger(folder)
        try ledger.hold { ledger in
            for id in 1...2_000 { try ledger.commit("\(id)") }
            #expect(try ledger.offer(event("1")) == .skipCommitted)
            #expect(try ledger.offer(event("2000")) == .skipCommitted)
        }
    }

    // E2, E6, E11
    @Test func `is not taken back by a replay of what it forgot in memory`() throws {
        let folder = try Folder()
        let ledger = try ledger(folder)
        try ledger.hold { ledger in
            for id in ["1", "2", "3"] { try ledger.commit(id) }
            // Without an id of its own, behind a replayed event.
            _ = try ledger.offer(event(nil, last: "1"))
            try ledger.commit()
            #expect(ledger.cursor == EventID("3"))
            try ledger.moved(to: EventID("2"))
            #expect(ledger.cursor == EventID("3"))
        }
    }

    // E11
    @Test func `stores a cursor that a block without data moved, or cleared`() throws {
        let folder = try Folder()
        let ledger = try ledger(folder)
        try ledger.hold { try $0.moved(to: EventID("7")) }
        #expect(try self.ledger(folder).cursor == EventID("7"))
        // No event had that id yet.
        let decision = try self.ledger(folder).hold { try $0.offer(event("7")) }
        #expect(decision == .handle(attempt: 1))
        try ledger.hold { try $0.moved(to: nil) }
        #expect(try self.ledger(folder).cursor == nil)
    }

    // E2, E6
    @Test func `stores a snapshot's cursor, and forgets the ids before it, in one step`() throws {
        let folder = try Folder()
        let ledger = try ledger(folder)
        let other = try self.ledger(folder, stream: "other")
        for id in ["1", "2", "3"] { try ledger.take(id) }
        try other.take("2")
        try ledger.hold { try $0.restarted(at: EventID("1")) }
        #expect(ledger.cursor == EventID("1"))
        // A process that died right after it.
        let next = try self.ledger(folder)
        #expect(next.cursor == EventID("1"))
        #expect(try next.record(of: #require(EventID("1")))?.result == .snapshot)
        #expect(try next.hold { try $0.offer(event("1")) } == .skipCommitted)
        try next.take("2")
        #expect(next.cursor == EventID("2"))
        #expect(throws: SQLiteLedger.Skipped.self) { try other.take("2") }
        try next.hold { try $0.restarted(at: nil) }
        #expect(try self.ledger(folder).cursor == nil)
    }

    // E2
    @Test func `keeps cursor and ids where a snapshot's cursor cannot be stored`() throws {
        let folder = try Folder()
        let ledger = try ledger(folder)
        for id in ["1", "2"] { try ledger.take(id) }
        let other = try RawDatabase(folder.path())
        // The ids are gone by then, and must come back.
        try other.run(
            """
            CREATE TRIGGER full BEFORE UPDATE ON belay_stream
            BEGIN SELECT RAISE(ABORT, 'full'); END
            """)
        #expect(throws: SQLiteError.self) {
            try ledger.hold { try $0.restarted(at: EventID("9")) }
        }
        try other.run("DROP TRIGGER full")
        other.close()
        #expect(ledger.cursor == EventID("2"))
        #expect(try ledger.hold { try $0.offer(event("1")) } == .skipCommitted)
    }

    // E6, E11
    @Test func `tells ids apart byte by byte`() throws {
        let folder = try Folder()
        let ledger = try ledger(folder)
        try ledger.take("\u{E9}")
        try ledger.take("e\u{301}")
        try ledger.take("E\u{301}")
        #expect(ledger.cursor == EventID("E\u{301}"))
    }

    @Test func `forgets all but the newest ids where the app says so`() throws {
        let folder = try Folder()
        let ledger = try ledger(folder)
        let other = try self.ledger(folder, stream: "other")
        for id in ["1", "2", "3", "4"] { try ledger.take(id) }
        try other.take("1")
        try ledger.prune(keepingNewest: 2)
        let kept = try ["1", "2", "3", "4"].filter {
            try ledger.record(of: #require(EventID($0))) != nil
        }
        #expect(kept == ["3", "4"])
        #expect(ledger.cursor == EventID("4"))
        #expect(try other.record(of: #require(EventID("1"))) != nil)
        try ledger.prune(keepingNewest: 0)
        try ledger.take("1")
    }

    // E5, E6, E11: the server begins to give its ids anew, amid the stream.
    @Test(arguments: [false, true])
    func `takes new events with old ids once they are forgotten, also while it processes`(
        byAnother: Bool
    ) throws {
        let folder = try Folder()
        let ledger = try ledger(folder)
        let pruning = byAnother ? try self.ledger(folder) : ledger
        try ledger.hold { ledger in
            for id in ["1", "2"] { try ledger.commit(id) }
            // The newest, and one that a replay has brought to mind.
            try pruning.prune(keepingNewest: 0)
            try ledger.commit("2")
            try ledger.commit("1")
            #expect(try ledger.offer(event("2")) == .skipCommitted)
            try pruning.prune(keepingNewest: 1)
            try ledger.commit("2")
            #expect(ledger.cursor == EventID("2"))
        }
    }

    // E11
    @Test func `follows new blocks with old ids once all is forgotten`() throws {
        let folder = try Folder()
        let ledger = try ledger(folder)
        try ledger.hold { ledger in
            try ledger.moved(to: EventID("5"))
            try ledger.commit("6")
            try ledger.prune(keepingNewest: 1)
            try ledger.moved(to: EventID("5"))
            #expect(ledger.cursor == EventID("6"))
            try ledger.prune(keepingNewest: 0)
            try ledger.moved(to: EventID("5"))
            #expect(ledger.cursor == EventID("5"))
        }
    }

    @Test func `belongs to one process at a time, also through another connection`() throws {
        let folder = try Folder()
        let first = try ledger(folder)
        let second = try ledger(folder)
        let other = try ledger(folder, stream: "other")
        #expect(try first.acquire())
        #expect(try first.acquire() == false)
        #expect(try second.acquire() == false)
        #expect(try other.acquire())
        try first.commit("1")
        first.release()
        #expect(second.cursor == nil)
        #expect(try second.acquire())
        // What the first one did meanwhile.
        #expect(second.cursor == EventID("1"))
        #expect(try second.offer(event("1")) == .skipCommitted)
    }

    @Test func `waits for another writer no longer than its busy timeout`() throws {
        let folder = try Folder()
        let ledger = try SQLiteLedger(
            path: folder.path(), stream: "orders", busyTimeout: .milliseconds(20))
        let raw = try RawDatabase(folder.path())
        defer { raw.close() }
        try ledger.hold { ledger in
            _ = try ledger.offer(event("1"))
            try raw.run("BEGIN IMMEDIATE")
            #expect { try ledger.commit() } throws: { ($0 as? SQLiteError)?.cause == .busy }
            try raw.run("COMMIT")
            try ledger.commit()
        }
        #expect(ledger.cursor == EventID("1"))
    }

    // E5, E6
    @Test func `does not repeat an effect whose commit came through though it failed`() throws {
        let folder = try Folder()
        let ledger = try ledger(folder)
        let raw = try RawDatabase(folder.path())
        defer { raw.close() }
        try ledger.hold { ledger in
            _ = try ledger.offer(event("1"))
            try raw.run("INSERT INTO belay_event VALUES (1, 1, '1', 1, '1')")
            try ledger.commit { try $0.run("INSERT INTO effect VALUES ('again')") }
        }
        #expect(ledger.cursor == EventID("1"))
        #expect(try ledger.texts("SELECT id FROM effect") == [])
    }

    // E4, E17
    @Test func `has the last of several events with one id, where they are no replays`() throws {
        let folder = try Folder()
        let ledger = try ledger(folder, policy: ResumePolicy(duplicates: .handled))
        var chance = SeededGenerator(seed: 1)
        try ledger.hold { ledger in
            for id in ["1", "2", "1"] {
                try ledger.commit(id) { try $0.run("INSERT INTO effect VALUES (?)", id) }
            }
            _ = try ledger.offer(event("2"))
            _ = ledger.failed(using: &chance)
            try ledger.commit { try $0.run("INSERT INTO effect VALUES ('2')") }
        }
        #expect(try ledger.texts("SELECT id FROM effect") == ["1", "2", "1", "2"])
        let newest = try #require(EventID("2"))
        let record = try ledger.record(of: newest)
        #expect(record == .init(id: newest, result: .committed(attempt: 2), cursor: newest))
        try ledger.prune(keepingNewest: 1)
        #expect(try ledger.texts("SELECT id FROM belay_event") == ["2"])
        // The one in hand may have been forgotten meanwhile.
        try ledger.hold { ledger in
            _ = try ledger.offer(event("2"))
            try ledger.prune(keepingNewest: 0)
            try ledger.commit { try $0.run("INSERT INTO effect VALUES ('2')") }
        }
        #expect(try ledger.texts("SELECT id FROM effect").count == 5)
        #expect(try ledger.record(of: newest) != nil)
    }

    // E5, E6
    @Test func `knows by the place that a commit came through, where its id was there before`()
        throws
    {
        let folder = try Folder()
        let ledger = try ledger(folder, policy: ResumePolicy(duplicates: .handled))
        let raw = try RawDatabase(folder.path())
        defer { raw.close() }
        try ledger.hold { ledger in
            try ledger.commit("1")
            _ = try ledger.offer(event("1"))
            try raw.run("UPDATE belay_event SET place = 2")
            try ledger.commit { try $0.run("INSERT INTO effect VALUES ('again')") }
        }
        #expect(try ledger.texts("SELECT id FROM effect") == [])
    }

    // E14
    @Test func `has nothing of an event for which the disk has no room`() throws {
        let folder = try Folder()
        let ledger = try ledger(folder)
        try ledger.take("1")
        try ledger.limitPages(to: 12)
        try ledger.hold { ledger in
            _ = try ledger.offer(event("2"))
            #expect {
                try ledger.commit {
                    try $0.run(
                        "INSERT INTO effect VALUES (?)", [UInt8](repeating: 1, count: 90_000))
                }
            } throws: { error in
                ((error as? HandlerFailure)?.cause as? SQLiteError)?.cause == .full
            }
            #expect(ledger.cursor == EventID("1"))
            try ledger.limitPages(to: 1_000)
            try ledger.commit()
        }
        #expect(ledger.cursor == EventID("2"))
        #expect(try ledger.texts("SELECT id FROM effect") == [])
    }

    @Test func `is on the disk when a commit returns`() throws {
        let folder = try Folder()
        let ledger = try ledger(folder)
        #expect(try ledger.setting("journal_mode") == .text("wal"))
        #expect(try ledger.setting("synchronous") == .integer(2))
    }
}
