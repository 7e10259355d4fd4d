internal import CSQLite

/// One prepared statement, let go with the value.
struct SQLiteStatement: ~Copyable {
    private let pointer: OpaquePointer
    private let connection: OpaquePointer
    private let path: String
    private let sql: String

    /// Prepares exactly one statement: what stands behind it would silently not be run.
    init(_ sql: String, on connection: OpaquePointer, path: String) throws(SQLiteError) {
        var text = sql
        let (code, statement, rest) = text.withUTF8 { text -> (Int32, OpaquePointer?, String) in
            text.withMemoryRebound(to: CChar.self) { text in
                var statement: OpaquePointer?
                var tail: UnsafePointer<CChar>?
                let code = sqlite3_prepare_v2(
                    connection, text.baseAddress, Int32(clamping: text.count), &statement, &tail)
                let used = tail.flatMap { tail in text.baseAddress.map { tail - $0 } } ?? 0
                let rest = UnsafeRawBufferPointer(text).dropFirst(used)
                return (code, statement, String(decoding: rest, as: UTF8.self))
            }
        }
        guard code == SQLITE_OK else {
            throw SQLiteError(
                code: code, path: path, String(cString: sqlite3_errmsg(connection)), sql: sql)
        }
        guard let statement else {
            throw SQLiteError(.statement, path: path, "there is no statement", sql: sql)
        }
        guard rest.allSatisfy({ $0.isWhitespace || $0 == ";" }) else {
            sqlite3_finalize(statement)
            throw SQLiteError(.statement, path: path, "more than one statement", sql: sql)
        }
        pointer = statement
        self.connection = connection
        self.path = path
        self.sql = sql
    }

    deinit { sqlite3_finalize(pointer) }

    borrowing func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
        let places = Int(sqlite3_bind_parameter_count(pointer))
        guard places == values.count else {
            throw SQLiteError(
                .statement, path: path, "\(places) places for \(values.count) values", sql: sql)
        }
        for (index, value) in values.enumerated() {
            let code = bind(value, at: Int32(index + 1))
            guard code == SQLITE_OK else { throw error(code) }
        }
    }

    private borrowing func bind(_ value: SQLiteValue, at place: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(pointer, place)
        case .integer(let number): return sqlite3_bind_int64(pointer, place, number)
        case .real(let number): return sqlite3_bind_double(pointer, place, number)
        case .text(var text):
            return text.withUTF8 { utf8 in
                utf8.withMemoryRebound(to: CChar.self) { text in
                    csqlite_bind_text(pointer, place, text.baseAddress, UInt64(text.count))
                }
            }
        case .blob(let bytes):
            guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(pointer, place, 0) }
            return bytes.withUnsafeBytes { bytes in
                csqlite_bind_blob(pointer, place, bytes.baseAddress, UInt64(bytes.count))
            }
        }
    }

    /// Runs the statement to its end.
    borrowing func rows(limit: Int) throws(SQLiteError) -> [[SQLiteValue]] {
        var rows: [[SQLiteValue]] = []
        while true {
            switch sqlite3_step(pointer) {
            case SQLITE_ROW:
                guard rows.count < limit else {
                    throw SQLiteError(
                        .tooManyRows, path: path, "more than \(limit) rows", sql: sql)
                }
                rows.append((0..<sqlite3_column_count(pointer)).map { value(at: $0) })
            case SQLITE_DONE: return rows
            case let code: throw error(code)
            }
        }
    }

    private borrowing func value(at column: Int32) -> SQLiteValue {
        switch sqlite3_column_type(pointer, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(pointer, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(pointer, column))
        case SQLITE_TEXT:
            return .text(String(decoding: bytes(at: column), as: UTF8.self))
        case SQLITE_BLOB: return .blob(bytes(at: column))
        default: return .null
        }
    }

    private borrowing func bytes(at column: Int32) -> [UInt8] {
        // The pointer first: asking for the size may move the bytes.
        let start = sqlite3_column_blob(pointer, column)
        let count = Int(sqlite3_column_bytes(pointer, column))
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    private borrowing func error(_ code: Int32) -> SQLiteError {
        SQLiteError(code: code, path: path, String(cString: sqlite3_errmsg(connection)), sql: sql)
    }
}
