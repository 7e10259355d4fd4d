import CSQLite
import Testing

/// A connection without any rule of ours: what another program would do to the file.
final class RawDatabase {
    private let pointer: OpaquePointer?

    init(_ path: String) throws {
        var pointer: OpaquePointer?
        let code = sqlite3_open(path, &pointer)
        self.pointer = pointer
        try #require(code == SQLITE_OK)
    }

    func run(_ sql: String) throws {
        let code = sqlite3_exec(pointer, sql, nil, nil, nil)
        try #require(code == SQLITE_OK, "\(sql): \(String(cString: sqlite3_errmsg(pointer)))")
    }

    func close() {
        sqlite3_close(pointer)
    }
}
