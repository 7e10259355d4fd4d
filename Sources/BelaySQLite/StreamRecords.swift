import BelayCore

/// What a file holds of one stream: its cursor, and a row for each committed event.
struct StreamRecords: Sendable {
    let database: SQLiteDatabase
    /// The stream's, in this file.
    let number: Int64

    /// The stored cursor; `nil` for none.
    func cursor() throws(SQLiteError) -> EventID? {
        let row = try database.run(
            "SELECT cursor FROM belay_stream WHERE number = ?", [.integer(number)]
        ).first
        return EventID(row?.first)
    }

    /// Where an event with this id stands in the order of commits; `nil` for none.
    func place(of id: EventID) throws(SQLiteError) -> Int64? {
        let row = try database.run(
            "SELECT place FROM belay_event WHERE stream = ? AND id = ?",
            [.integer(number), .text(id.text)]
        ).first
        guard case .integer(let place)? = row?.first else { return nil }
        return place
    }

    func record(of id: EventID) throws(SQLiteError) -> SQLiteLedger.Record? {
        let row = try database.run(
            "SELECT attempt, cursor FROM belay_event WHERE stream = ? AND id = ?",
            [.integer(number), .text(id.text)]
        ).first
        guard let row, case .integer(let attempt) = row[0] else { return nil }
        return SQLiteLedger.Record(
            id: id, result: SQLiteLedger.Record.Result(stored: attempt), cursor: EventID(row[1]))
    }

    /// An event is committed, and the cursor stands where it says; within a transaction.
    /// - Parameter place: Where an earlier event with its id stands, which it takes the row of. It
    ///   gets a new place all the same.
    func commit(
        _ record: SQLiteLedger.Record, replacing place: Int64? = nil
    ) throws(SQLiteError) {
        if let place {
            try database.run(
                """
                UPDATE belay_event SET attempt = ?, cursor = ?,
                    place = (SELECT max(place) + 1 FROM belay_event) WHERE place = ?
                """,
                [
                    .integer(record.result.stored), record.cursor.sqliteValue, .integer(place),
                ])
        } else {
            try database.run(
                "INSERT INTO belay_event (stream, id, attempt, cursor) VALUES (?, ?, ?, ?)",
                [
                    .integer(number), .text(record.id.text), .integer(record.result.stored),
                    record.cursor.sqliteValue,
                ])
        }
        try move(to: record.cursor)
    }

    func move(to cursor: EventID?) throws(SQLiteError) {
        try database.run(
            "UPDATE belay_stream SET cursor = ? WHERE number = ?",
            [cursor.sqliteValue, .integer(number)])
    }

    /// Forgets all ids but `cursor`, which a snapshot stands at; within a transaction.
    func restart(at cursor: EventID?) throws(SQLiteError) {
        try database.run("DELETE FROM belay_event WHERE stream = ?", [.integer(number)])
        if let cursor {
            try commit(SQLiteLedger.Record(id: cursor, result: .snapshot, cursor: cursor))
        } else {
            try move(to: nil)
        }
    }

    /// Forgets all ids but the newest `count`.
    func prune(keepingNewest count: Int) throws(SQLiteError) {
        try database.run(
            """
            DELETE FROM belay_event WHERE stream = ?1 AND place <= (
                SELECT place FROM belay_event WHERE stream = ?1
                ORDER BY place DESC LIMIT 1 OFFSET ?2)
            """, [.integer(number), .integer(Int64(count))])
    }
}

/// As `belay_event.attempt` has it: a number above 0 is an effect, and no other is.
extension SQLiteLedger.Record.Result {
    fileprivate init(stored number: Int64) {
        switch number {
        case 1...: self = .committed(attempt: Int(number))
        case 0: self = .snapshot
        default: self = .passedOver
        }
    }

    fileprivate var stored: Int64 {
        switch self {
        case .committed(let attempt): Int64(attempt)
        case .snapshot: 0
        case .passedOver: -1
        }
    }
}

extension EventID? {
    fileprivate var sqliteValue: SQLiteValue { map { .text($0.text) } ?? .null }
}

extension EventID {
    fileprivate init?(_ value: SQLiteValue?) {
        guard case .text(let text)? = value else { return nil }
        self.init(text)
    }
}
