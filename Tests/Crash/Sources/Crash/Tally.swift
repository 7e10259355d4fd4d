import BelaySQLite

/// What stands in the file: the effects of the subject's handler, beside the ledger's record.
struct Tally {
    /// The greatest id with an effect.
    let greatest: Int
    /// The greatest id up to which every one has an effect.
    let complete: Int
    /// Ids up to the greatest that have no effect.
    let missing: Int
    /// Ids that have more effects than their ledger allows.
    let twice: Int
    /// The id whose effect has happened and is not committed; `nil` where no such thing can be.
    let present: Int?
    /// Ids that the ledger has as committed, and that have no effect.
    let withoutEffect: Int
    /// Effects whose id the ledger does not have as committed.
    let withoutRecord: Int
    /// Whether the cursor is that of the last committed event.
    let isCursorRight: Bool

    /// The id behind which a server goes on that knows nothing else; 0 for none. An id that filled
    /// a gap is less than the greatest.
    let cursor: Int

    /// Whether some id below the greatest has no effect.
    var hasGap: Bool { complete < greatest }

    init(file: String) throws {
        let ledger = try SQLiteLedger(path: file, stream: "crash")
        let row = try ledger.transaction { transaction in
            try transaction.run("CREATE TABLE IF NOT EXISTS effect (id INTEGER NOT NULL)")
            return try transaction.rows(
                """
                SELECT
                    (SELECT ifnull(max(id), 0) FROM effect),
                    (SELECT min(last.id)
                        FROM (SELECT 0 AS id UNION SELECT id FROM effect) AS last
                        WHERE NOT EXISTS (SELECT 1 FROM effect WHERE id = last.id + 1)),
                    (SELECT ifnull(max(id), 0) - count(DISTINCT id) FROM effect),
                    (SELECT count(*) FROM (SELECT 1 FROM effect GROUP BY id HAVING count(*) > 1)),
                    (SELECT count(*) FROM belay_event
                        WHERE attempt > 0 AND CAST(id AS INTEGER) NOT IN (SELECT id FROM effect)),
                    (SELECT count(*) FROM effect
                        WHERE CAST(id AS TEXT) NOT IN (SELECT id FROM belay_event)),
                    (SELECT cursor FROM belay_stream)
                        IS (SELECT cursor FROM belay_event ORDER BY place DESC LIMIT 1),
                    (SELECT ifnull(CAST(max(cursor) AS INTEGER), 0) FROM belay_stream)
                """)[0]
        }
        let numbers = row.map { value in
            if case .integer(let number) = value { Int(number) } else { -1 }
        }
        present = nil
        greatest = numbers[0]
        complete = numbers[1]
        missing = numbers[2]
        twice = numbers[3]
        withoutEffect = numbers[4]
        withoutRecord = numbers[5]
        isCursorRight = numbers[6] == 1
        cursor = numbers[7]
    }
}
