import BelayCore

@testable import BelaySQLite

extension SQLiteLedger {
    struct Skipped: Error {}

    /// Does with one event what an event source does.
    func take(
        _ id: String, _ effect: (borrowing SQLiteTransaction) throws -> Void = { _ in }
    ) throws {
        try hold { ledger in try ledger.commit(id, effect) }
    }

    /// Offers an event and commits it.
    func commit(
        _ id: String, _ effect: (borrowing SQLiteTransaction) throws -> Void = { _ in }
    ) throws {
        let event = ResumeMachine.Offer(ownID: EventID(id), lastEventID: EventID(id))
        guard try offer(event) == .handle(attempt: 1) else { throw Skipped() }
        try commit(applying: effect)
    }

    /// Processes with this ledger.
    func hold<Value>(_ body: (SQLiteLedger) throws -> Value) throws -> Value {
        guard try acquire() else { throw Skipped() }
        defer { release() }
        return try body(self)
    }

    /// The texts of a query's first column.
    func texts(_ sql: String) throws -> [String] {
        try transaction { transaction in
            try transaction.rows(sql).map { row in
                if case .text(let text) = row[0] { text } else { "\(row[0])" }
            }
        }
    }
}

/// What no app may say.
extension SQLiteLedger {
    /// From here on the disk is full beyond so many pages.
    func limitPages(to count: Int) throws {
        _ = try setting("max_page_count = \(count)")
    }

    func setting(_ name: String) throws -> SQLiteValue? {
        try records.database.run("PRAGMA \(name)").first?.first
    }
}
