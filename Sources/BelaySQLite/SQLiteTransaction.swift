/// The transaction in which a ledger commits an event: what is written here happens exactly once.
///
/// It cannot be kept, and ends with the handler: by `COMMIT` when that returns, by `ROLLBACK` when
/// it throws. There is no `await` in it, since it is the file's one writer meanwhile.
public struct SQLiteTransaction: ~Copyable {
    private let database: SQLiteDatabase

    init(_ database: SQLiteDatabase) {
        self.database = database
    }

    /// Runs one statement, with a value for each `?`; `nil` is `NULL`.
    ///
    /// ```swift
    /// try transaction.run("INSERT INTO orders (id, total) VALUES (?, ?)", event.id, 12.5)
    /// ```
    /// - Throws: `SQLiteError`: `.refused` for a statement that would end the transaction or
    ///   change the ledger's tables (`belay_…`).
    public func run(_ sql: String, _ values: (any SQLiteBindable)?...) throws(SQLiteError) {
        try perform(sql, values, limit: .max)
    }

    /// Answers the rows of one statement, with a value for each `?`.
    ///
    /// - Parameter limit: The most rows that are taken into memory.
    /// - Throws: `SQLiteError`: `.tooManyRows` for more than `limit`; ask for less, or in parts.
    public func rows(
        _ sql: String, _ values: (any SQLiteBindable)?..., limit: Int = 1_000
    ) throws(SQLiteError) -> [[SQLiteValue]] {
        try perform(sql, values, limit: limit)
    }

    /// How many rows the last INSERT, UPDATE or DELETE changed.
    public var changes: Int { database.changes }

    @discardableResult
    private func perform(
        _ sql: String, _ values: [(any SQLiteBindable)?], limit: Int
    ) throws(SQLiteError) -> [[SQLiteValue]] {
        try database.requireTransaction()
        return try database.run(sql, values.map { $0?.sqliteValue ?? .null }, limit: limit)
    }
}
