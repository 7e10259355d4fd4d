public import Belay

extension EventSource {
    /// Hands each event to `handler` with the transaction that commits it, one after the other,
    /// until the stream ends for good.
    ///
    /// As the other `process`, and: what the handler writes by `transaction` is stored together
    /// with the event's id and the cursor, or not at all. A handler that throws leaves nothing,
    /// also when it throws `SkipEvent` and the cursor moves.
    /// Only for a stream whose ledger is a `SQLiteLedger`.
    ///
    /// It cannot `await`: what takes long is kept in a table here, and done from there.
    /// - Throws: `BelayError`, as the other `process`; `.handlerGaveUp` for what the handler threw,
    ///   `.ledgerFailed` for what the ledger did.
    public func process(
        _ handler: (ServerSentEvent, borrowing SQLiteTransaction) throws -> Void
    ) async throws(BelayError) {
        guard let ledger = ledger as? SQLiteLedger else {
            preconditionFailure("a transaction needs a stream whose ledger is a SQLiteLedger")
        }
        try await process(
            { _ in },
            committing: { event in
                try ledger.commit { transaction in try handler(event, transaction) }
            })
    }
}

extension EventDelivery {
    /// Commits the event with its effect: what `effect` writes by the transaction is stored
    /// together with the event's id and the cursor, or not at all.
    ///
    /// As `commit()`, and: an `effect` that throws leaves nothing and is asked again after a wait,
    /// as often as the ledger's policy allows; one that throws `SkipEvent` skips the event.
    /// Only for a stream whose ledger is a `SQLiteLedger`.
    /// - Throws: `BelayError`, as `commit()`; `.handlerGaveUp` for what `effect` threw.
    public func commit(
        _ effect: (borrowing SQLiteTransaction) throws -> Void
    ) async throws(BelayError) {
        try await commit(to: SQLiteLedger.self) { try $0.commit(applying: effect) }
    }
}
