internal import CSQLite

/// What went wrong with a ledger's file or with a statement.
public struct SQLiteError: Error, Hashable, Sendable {
    /// Why.
    public enum Cause: Hashable, Sendable {
        /// Another connection wrote for longer than the busy timeout.
        case busy
        /// The file cannot be opened or made: no such folder, or no permission.
        case cannotOpen
        /// The file or its folder cannot be written.
        case readOnly
        /// The file is damaged. It is left as it is: put a copy in its place.
        case corrupt
        /// The file is no database.
        case notADatabase
        /// A database of something else; see `SQLiteLedger.Admission`.
        case foreign
        /// A later release wrote the file, in this version of the schema; update, or use another.
        case newer(version: Int64)
        /// There is no room on the disk.
        case full
        /// The disk failed; `code` says where.
        case inputOutput
        /// What a handler may not say: it would end the transaction, or change the ledger's tables.
        case refused
        /// SQLite has rolled the transaction back because of an earlier error.
        case transactionOver
        /// A query has more rows than its limit.
        case tooManyRows
        /// The statement is wrong, or breaks a constraint; `code` and `message` say how.
        case statement
    }

    /// Why.
    public let cause: Cause
    /// The file.
    public let path: String
    /// SQLite's extended result code; 0 where SQLite found no fault.
    public let code: Int32
    /// SQLite's own words, or ours.
    public let message: String
    /// The statement, without its values; `nil` where there is none.
    public let sql: String?

    init(_ cause: Cause, path: String, code: Int32 = 0, _ message: String, sql: String? = nil) {
        self.cause = cause
        self.path = path
        self.code = code
        self.message = message
        self.sql = sql
    }

    /// What SQLite answered.
    init(code: Int32, path: String, _ message: String, sql: String?) {
        self.init(Self.cause(of: code), path: path, code: code, message, sql: sql)
    }

    private static func cause(of code: Int32) -> Cause {
        switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_CANTOPEN, SQLITE_PERM: .cannotOpen
        case SQLITE_READONLY: .readOnly
        case SQLITE_CORRUPT: .corrupt
        case SQLITE_NOTADB: .notADatabase
        case SQLITE_FULL: .full
        case SQLITE_IOERR: .inputOutput
        case SQLITE_AUTH: .refused
        default: .statement
        }
    }
}

extension SQLiteError: CustomStringConvertible {
    /// One line: file, message, statement.
    public var description: String {
        let place = sql.map { " in: \($0)" } ?? ""
        let number = code == 0 ? "" : " (\(code))"
        return "\(path): \(message)\(number)\(place)"
    }
}
