import Belay
import BelayCore
import Testing

@testable import BelaySQLite

@Suite struct `A transaction of a durable ledger` {
    private let folder: Folder
    private let ledger: SQLiteLedger

    init() throws {
        folder = try Folder()
        ledger = try SQLiteLedger(path: folder.path(), stream: "orders")
        try ledger.transaction { try $0.run("CREATE TABLE effect (value)") }
    }

    struct Value: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bound: (any SQLiteBindable & Sendable)?
        let read: SQLiteValue
    }

    @Test(arguments: [
        Value(testDescription: "nothing", bound: nil, read: .null),
        Value(testDescription: "Int64", bound: Int64.min, read: .integer(.min)),
        Value(testDescription: "Int", bound: 7, read: .integer(7)),
        Value(testDescription: "Double", bound: 0.25, read: .real(0.25)),
        Value(testDescription: "text", bound: "é\u{0}'; DROP", read: .text("é\u{0}'; DROP")),
        Value(testDescription: "no text", bound: "", read: .text("")),
        Value(testDescription: "bytes", bound: [UInt8]([0, 255]), read: .blob([0, 255])),
        Value(testDescription: "no bytes", bound: [UInt8](), read: .blob([])),
        Value(testDescription: "itself", bound: SQLiteValue.real(2), read: .real(2)),
    ])
    func `binds a value and reads it as it was`(_ value: Value) throws {
        let rows = try ledger.transaction { transaction in
            try transaction.run("INSERT INTO effect VALUES (?)", value.bound)
            return try transaction.rows("SELECT value FROM effect")
        }
        #expect(rows == [[value.read]])
    }

    // E5
    @Test(arguments: [
        "COMMIT", "ROLLBACK", "SAVEPOINT a", "PRAGMA journal_mode = DELETE",
        "ATTACH ':memory:' AS other", "DELETE FROM belay_event", "DROP TABLE BELAY_STREAM",
        "UPDATE belay_stream SET cursor = '9'", "INSERT INTO Belay_Ledger VALUES (9)",
        "ALTER TABLE belay_event RENAME TO a", "CREATE TABLE belay_a (b)",
        "CREATE TRIGGER a AFTER INSERT ON belay_event BEGIN SELECT 1; END",
    ])
    func `is neither ended nor cheated by its handler`(sql: String) throws {
        #expect {
            try ledger.take("1") { transaction in
                try transaction.run("INSERT INTO effect VALUES (1)")
                try transaction.run(sql)
            }
        } throws: { error in
            ((error as? HandlerFailure)?.cause as? SQLiteError)?.cause == .refused
        }
        #expect(try ledger.texts("SELECT value FROM effect") == [])
        #expect(ledger.cursor == nil)
        try ledger.take("1")
    }

    // E5
    @Test func `writes nothing more after SQLite rolled it back`() throws {
        try ledger.transaction { try $0.run("CREATE TABLE one (id INTEGER PRIMARY KEY)") }
        #expect {
            try ledger.take("1") { transaction in
                try transaction.run("INSERT INTO one VALUES (1)")
                // The handler passes over the error.
                try? transaction.run("INSERT OR ROLLBACK INTO one VALUES (1)")
                try transaction.run("INSERT INTO effect VALUES (1)")
            }
        } throws: { error in
            ((error as? HandlerFailure)?.cause as? SQLiteError)?.cause == .transactionOver
        }
        #expect(try ledger.texts("SELECT value FROM effect") == [])
        #expect(ledger.cursor == nil)
    }

    // E5
    @Test func `is not committed after SQLite rolled it back`() throws {
        try ledger.transaction { try $0.run("CREATE TABLE one (id INTEGER PRIMARY KEY)") }
        #expect {
            try ledger.take("1") { transaction in
                try transaction.run("INSERT INTO one VALUES (1)")
                try? transaction.run("INSERT OR ROLLBACK INTO one VALUES (1)")
            }
        } throws: { error in
            ((error as? HandlerFailure)?.cause as? SQLiteError)?.cause == .transactionOver
        }
        #expect(ledger.cursor == nil)
        #expect(try ledger.record(of: #require(EventID("1"))) == nil)
    }

    struct Fault: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let message: String
    }

    @Test(arguments: [
        Fault(testDescription: "SELEC 1", message: "near \"SELEC\": syntax error"),
        Fault(testDescription: "SELECT ?", message: "1 places for 0 values"),
        Fault(testDescription: "SELECT 1; SELECT 2", message: "more than one statement"),
        Fault(testDescription: " ", message: "there is no statement"),
        Fault(testDescription: "INSERT INTO none VALUES (1)", message: "no such table: none"),
    ])
    func `names what is wrong with a statement`(_ fault: Fault) throws {
        let sql = fault.testDescription
        #expect {
            try ledger.transaction { try $0.run(sql) }
        } throws: { error in
            guard let error = error as? SQLiteError else { return false }
            return error.message == fault.message && error.sql == sql && error.cause == .statement
        }
    }

    @Test func `names a broken constraint without the values`() throws {
        try ledger.transaction { try $0.run("CREATE TABLE one (id TEXT UNIQUE)") }
        #expect {
            try ledger.transaction { transaction in
                for _ in 1...2 { try transaction.run("INSERT INTO one VALUES (?)", "secret") }
            }
        } throws: { error in
            "\(error)".hasSuffix(
                "UNIQUE constraint failed: one.id (2067) in: INSERT INTO one VALUES (?)")
        }
    }

    @Test func `takes no more rows than it may`() throws {
        try ledger.transaction { transaction in
            for number in 1...3 { try transaction.run("INSERT INTO effect VALUES (?)", number) }
            #expect(transaction.changes == 1)
            #expect(try transaction.rows("SELECT value FROM effect", limit: 3).count == 3)
        }
        #expect {
            try ledger.transaction { try $0.rows("SELECT value FROM effect", limit: 2) }
        } throws: { ($0 as? SQLiteError)?.cause == .tooManyRows }
    }
}
