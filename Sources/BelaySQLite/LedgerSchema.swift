/// The tables of a ledger's file, and what must be true of a file before it is written to.
///
/// `belay_ledger.version` stays where it is in every version: it tells an older release that it
/// reads what it does not know.
enum LedgerSchema {
    static let version: Int64 = 1
    /// What the names of the ledger's tables begin with.
    static let prefix = "belay_"

    private static let tables = [
        "CREATE TABLE belay_ledger (version INTEGER NOT NULL)",
        "INSERT INTO belay_ledger VALUES (\(version))",
        """
        CREATE TABLE belay_stream (
            number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, cursor TEXT)
        """,
        // One row is the whole record of an event: its id, how its handling went, and the cursor
        // after it. `attempt` is the one that committed it, from 1: then it had its effect. It is
        // 0 for the id that a snapshot stands at, and -1 for an event that the app passed over.
        // `place` is the order of commits.
        """
        CREATE TABLE belay_event (
            place INTEGER PRIMARY KEY, stream INTEGER NOT NULL, id TEXT NOT NULL,
            attempt INTEGER NOT NULL, cursor TEXT, UNIQUE (stream, id))
        """,
    ]

    /// Makes the file ready, and answers the number of `stream` in it.
    static func prepare(
        _ database: SQLiteDatabase, stream: String, admitting admission: SQLiteLedger.Admission
    ) throws(SQLiteError) -> Int64 {
        // What is not ours is not even marked as a file with a write-ahead log.
        if try isThere(in: database, admitting: admission) { try check(database) }
        try configure(database)
        return try database.transaction { () throws(SQLiteError) in
            // Another process may have been first.
            let isThere = try isThere(in: database, admitting: admission)
            if !isThere {
                for table in tables { try database.run(table) }
            }
            try database.run(
                "INSERT INTO belay_stream (name) VALUES (?) ON CONFLICT DO NOTHING",
                [.text(stream)])
            return try number(of: stream, in: database)
        } failed: {
            $0
        }
    }

    /// Whether the tables are there; throws where none of ours may be.
    private static func isThere(
        in database: SQLiteDatabase, admitting admission: SQLiteLedger.Admission
    ) throws(SQLiteError) -> Bool {
        let table = try database.run(
            "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'belay_ledger'")
        guard !table.isEmpty else {
            let tables = try database.run("SELECT 1 FROM sqlite_schema LIMIT 1")
            guard tables.isEmpty || admission == .anyDatabase else {
                throw SQLiteError(
                    .foreign, path: database.path, "a database without a ledger's tables")
            }
            return false
        }
        guard
            case .integer(let found)? = try database.run("SELECT version FROM belay_ledger")
                .first?.first
        else {
            throw SQLiteError(.foreign, path: database.path, "belay_ledger has no version")
        }
        guard found <= version else {
            throw SQLiteError(
                .newer(version: found), path: database.path,
                "a ledger of version \(found); this release knows \(version)")
        }
        return true
    }

    /// Damage that no page's head shows would cost an id, and an event would be applied again.
    ///
    /// Takes 0.15 s for a million ids.
    private static func check(_ database: SQLiteDatabase) throws(SQLiteError) {
        let found = try database.run("PRAGMA quick_check(belay_event)").first?.first
        guard case .text("ok")? = found else {
            throw SQLiteError(.corrupt, path: database.path, "the table of ids is damaged")
        }
    }

    /// A commit is on the disk when it returns (FULL; on Apple's systems also through the disk's
    /// own cache): whoever is told that an event is committed may forget it. With NORMAL a power
    /// loss would take the last effects back with their cursor, and the server might not have
    /// their events any more.
    private static func configure(_ database: SQLiteDatabase) throws(SQLiteError) {
        let mode = try database.run("PRAGMA journal_mode = WAL").first?.first
        guard mode == .text("wal") else {
            throw SQLiteError(
                .cannotOpen, path: database.path, "no write-ahead log is possible here")
        }
        try database.run("PRAGMA synchronous = FULL")
        try database.run("PRAGMA fullfsync = ON")
        try database.run("PRAGMA foreign_keys = ON")
    }

    private static func number(
        of stream: String, in database: SQLiteDatabase
    ) throws(SQLiteError) -> Int64 {
        let row = try database.run(
            "SELECT number FROM belay_stream WHERE name = ?", [.text(stream)]
        ).first
        guard case .integer(let number)? = row?.first else {
            throw SQLiteError(.corrupt, path: database.path, "the stream was not stored")
        }
        return number
    }
}
