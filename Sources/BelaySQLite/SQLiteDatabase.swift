internal import CSQLite
import Synchronization

/// The thin, typed face of the C library: one connection to one file.
///
/// Each statement is prepared, run to its end and let go under the lock, so any thread may call.
/// What belongs together is kept together by the ledger.
final class SQLiteDatabase: Sendable {
    private struct Connection: ~Copyable {
        let pointer: OpaquePointer

        deinit { sqlite3_close_v2(pointer) }
    }

    let path: String
    private let connection: Mutex<Connection>

    /// Opens the file, and makes an empty one where there is none. Nothing is written to it.
    ///
    /// - Parameter busyTimeout: How long a statement waits for another writer, in milliseconds.
    init(path: String, busyTimeout: Int32) throws(SQLiteError) {
        // SQLite would keep these in memory, or in a file that goes with the connection.
        guard !path.isEmpty, path != ":memory:" else {
            throw SQLiteError(.cannotOpen, path: path, "a durable ledger needs a file")
        }
        var pointer: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &pointer, flags, nil)
        guard let pointer else {
            throw SQLiteError(code: code, path: path, "no memory for a connection", sql: nil)
        }
        let opened = Connection(pointer: pointer)
        guard code == SQLITE_OK else { throw Self.error(code, path, on: pointer) }
        let hardened = csqlite_harden(pointer)
        guard hardened == SQLITE_OK else { throw Self.error(hardened, path, on: pointer) }
        sqlite3_busy_timeout(pointer, busyTimeout)
        // Without links, so that two names of a file are one.
        self.path = sqlite3_db_filename(pointer, "main").map { String(cString: $0) } ?? path
        connection = Mutex(opened)
    }

    /// Whether a transaction has begun and SQLite has not ended it.
    var isInTransaction: Bool {
        connection.withLock { sqlite3_get_autocommit($0.pointer) == 0 }
    }

    /// How many rows the last INSERT, UPDATE or DELETE changed.
    var changes: Int {
        connection.withLock { Int(sqlite3_changes64($0.pointer)) }
    }

    /// Runs one statement, and answers its rows, of which there may be as many as `limit`.
    @discardableResult
    func run(
        _ sql: String, _ values: [SQLiteValue] = [], limit: Int = 1_000
    ) throws(SQLiteError) -> [[SQLiteValue]] {
        try connection.withLock { connection throws(SQLiteError) in
            let statement = try SQLiteStatement(sql, on: connection.pointer, path: path)
            try statement.bind(values)
            return try statement.rows(limit: limit)
        }
    }

    /// All that `body` does is there afterwards, or nothing of it is. Not within itself.
    ///
    /// It is a writer from its first statement on: it waits for another one before, not amid.
    func transaction<Value, Failure: Error>(
        _ body: () throws(Failure) -> Value, failed: (SQLiteError) -> Failure
    ) throws(Failure) -> Value {
        do throws(SQLiteError) { try run("BEGIN IMMEDIATE") } catch { throw failed(error) }
        do throws(Failure) {
            let value = try body()
            do throws(SQLiteError) { try commit() } catch { throw failed(error) }
            return value
        } catch {
            rollBack()
            throw error
        }
    }

    private func commit() throws(SQLiteError) {
        try requireTransaction()
        try run("COMMIT")
    }

    /// Some errors (a full disk, `OR ROLLBACK`) end a transaction; each statement after one would
    /// be a transaction of its own.
    func requireTransaction() throws(SQLiteError) {
        guard isInTransaction else {
            throw SQLiteError(.transactionOver, path: path, "the transaction was rolled back")
        }
    }

    private func rollBack() {
        guard isInTransaction else { return }
        // If this fails, the connection is broken, and the next statement says so.
        _ = try? run("ROLLBACK")
    }

    /// Within `body` statements may neither end the transaction nor touch the ledger's tables.
    func restricted<Value, Failure: Error>(
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        _ = connection.withLock { sqlite3_set_authorizer($0.pointer, authorize, nil) }
        defer { _ = connection.withLock { sqlite3_set_authorizer($0.pointer, nil, nil) } }
        return try body()
    }

    private static func error(
        _ code: Int32, _ path: String, on pointer: OpaquePointer
    ) -> SQLiteError {
        SQLiteError(code: code, path: path, String(cString: sqlite3_errmsg(pointer)), sql: nil)
    }
}

/// Asked by SQLite for each thing a statement would do.
private func authorize(
    _: UnsafeMutableRawPointer?, action: Int32, first: UnsafePointer<CChar>?,
    second: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?
) -> Int32 {
    switch action {
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT, SQLITE_ATTACH, SQLITE_DETACH, SQLITE_PRAGMA:
        return SQLITE_DENY
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE, SQLITE_CREATE_TABLE, SQLITE_DROP_TABLE,
        SQLITE_CREATE_TEMP_TABLE, SQLITE_CREATE_TEMP_VIEW:
        return isOfLedger(first) ? SQLITE_DENY : SQLITE_OK
    case SQLITE_ALTER_TABLE, SQLITE_CREATE_TRIGGER, SQLITE_CREATE_TEMP_TRIGGER,
        SQLITE_CREATE_INDEX, SQLITE_DROP_INDEX:
        return isOfLedger(second) ? SQLITE_DENY : SQLITE_OK
    default:
        return SQLITE_OK
    }
}

/// Names are compared as SQLite does: ASCII letters in either case.
private func isOfLedger(_ name: UnsafePointer<CChar>?) -> Bool {
    guard let name else { return false }
    let prefix = LedgerSchema.prefix
    return sqlite3_strnicmp(name, prefix, Int32(prefix.utf8.count)) == 0
}
