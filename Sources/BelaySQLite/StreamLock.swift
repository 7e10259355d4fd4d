/// Keeps a stream to one process: a lock on a file of its own beside the ledger's.
///
/// The system lets it go with the process, however that ends. It is a lock of SQLite's, which
/// holds between connections of one process, too.
struct StreamLock: Sendable {
    private let database: SQLiteDatabase

    /// `nil` where somebody else has it.
    init?(path: String, stream number: Int64) throws(SQLiteError) {
        do throws(SQLiteError) {
            database = try SQLiteDatabase(path: "\(path)-stream\(number)", busyTimeout: 0)
            // Nothing is ever written: no journal is to be left beside the file.
            try database.run("PRAGMA journal_mode = MEMORY")
            try database.run("BEGIN EXCLUSIVE")
        } catch  where error.cause == .busy {
            return nil
        }
    }
}
