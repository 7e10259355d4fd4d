public import Belay
public import BelayCore
import Synchronization

/// What was processed, in a SQLite file: effect, event id, result and cursor in one transaction.
///
/// A crash at any moment leaves all four or none. What the handler writes by its transaction
/// happens exactly once; what it does elsewhere happens at least once.
///
/// ```swift
/// let ledger = try SQLiteLedger(path: file, stream: "orders")
/// try ledger.transaction { try $0.run("CREATE TABLE IF NOT EXISTS orders (id TEXT)") }
/// let feed = EventSource(url: url, ledger: ledger)
/// try await feed.process { event, transaction in
///     try transaction.run("INSERT INTO orders (id) VALUES (?)", event.id)
/// }
/// ```
///
/// Ids are compared with all that were ever committed, however old: they are kept until the app
/// calls `prune`. Where blocks without data moved the cursor is not stored: in the next life a
/// replay from before such a block takes the cursor back to it, unless that life began there, and
/// what comes again is skipped by its id. Any number of streams may share a file, each with a
/// ledger of its own.
///
/// SQLite runs on the task that calls `process`, in its isolation: the handler's statements are
/// one synchronous stretch there, with no queue between them. Each event waits for the disk, so
/// do not process on the main actor. Nothing here runs on a transport's thread.
public final class SQLiteLedger: EventLedger {
    /// Into which files a ledger may put its tables.
    public enum Admission: Hashable, Sendable {
        /// A new or an empty file, or one that has a ledger.
        case ledgersOnly
        /// Any database, such as one that has the app's own tables.
        case anyDatabase
    }

    /// What is stored of an event that does not come again, in one row.
    public struct Record: Hashable, Sendable {
        /// Why it does not come again.
        public enum Result: Hashable, Sendable {
            /// Its handler succeeded, at this attempt from 1; it had its effect.
            case committed(attempt: Int)
            /// The app passed over it, by `skip()` or `SkipEvent`; it had no effect.
            case passedOver
            /// A snapshot stands at its id, and has what its effect would be.
            case snapshot
        }

        /// The event's own id.
        public let id: EventID
        /// How its handling went.
        public let result: Result
        /// Where the cursor stood after it.
        public let cursor: EventID?
    }

    private struct State {
        var machine: ResumeMachine
        var lock: StreamLock?
        /// The event that the handler has, its attempts so far, and where the last one with its id
        /// was stored.
        var handling: (id: EventID?, attempt: Int, earlier: Int64?)?
    }

    /// The ledger's file, without links.
    public var path: String { records.database.path }
    /// The id of the last processed event: what the next request says.
    ///
    /// As the file said when this ledger was opened or last acquired, and as it was moved since.
    /// Kept in memory: the transport's thread reads it.
    public var cursor: EventID? { stored.withLock { $0 } }

    let records: StreamRecords
    private let policy: ResumePolicy
    private let stored: Mutex<EventID?>
    /// Held for the time of a transaction, so that nothing gets into it from elsewhere.
    private let state: Mutex<State>

    /// The ledger of `stream` in the file at `path`, which is made where there is none.
    ///
    /// - Parameters:
    ///   - path: A file in a folder that can be written. Beside it stand SQLite's `-wal` and
    ///     `-shm`, and an empty `-stream…` for each stream.
    ///   - stream: The stream's name in this file: ids are the same only within one stream.
    ///   - admission: Into which files the ledger may put its tables.
    ///   - policy: The attempts of a handler and the waits between them, and what becomes of
    ///     duplicates. Its window is not used.
    ///   - busyTimeout: How long another writer to the file is waited for, 0 to 60 s.
    /// - Throws: `SQLiteError`, which names the file and why it cannot be used. A file that is
    ///   damaged, of something else or of a later version is left as it is.
    public init(
        path: String, stream: String, admitting admission: Admission = .ledgersOnly,
        policy: ResumePolicy = ResumePolicy(), busyTimeout: Duration = .seconds(5)
    ) throws(SQLiteError) {
        let timeout = min(max(busyTimeout, .zero), .seconds(60))
        let database = try SQLiteDatabase(
            path: path, busyTimeout: Int32(timeout / .milliseconds(1)))
        let number = try LedgerSchema.prepare(database, stream: stream, admitting: admission)
        var policy = policy
        policy.window = 1  // The table knows every id; the machine is told, see `recall`.
        records = StreamRecords(database: database, number: number)
        self.policy = policy
        let cursor = try records.cursor()
        stored = Mutex(cursor)
        state = Mutex(State(machine: ResumeMachine(restored: cursor, policy: policy)))
    }

    /// A transaction without an event: for tables of the app's own in this file.
    ///
    /// Not from within a handler, which has one: it would wait for that, and traps.
    /// - Throws: `SQLiteError`, or what `body` throws; then nothing of it is stored.
    public func transaction<Value: Sendable>(
        _ body: (borrowing SQLiteTransaction) throws -> Value
    ) throws -> Value {
        try state.withLock { _ in
            try records.database.transaction {
                try records.database.restricted { try body(SQLiteTransaction(records.database)) }
            } failed: {
                $0 as any Error
            }
        }
    }

    /// What is stored of the last event with this id; `nil` for one that is not processed, or
    /// pruned.
    ///
    /// Not from within a handler: it would wait for its own transaction, and traps.
    public func record(of id: EventID) throws(SQLiteError) -> Record? {
        try state.withLock { _ throws(SQLiteError) in try records.record(of: id) }
    }

    /// Forgets all committed ids of this stream but the newest `count`, at least 0.
    ///
    /// A replay of a forgotten event is handled again: keep more than the server may resend. Call
    /// with 0 when the server begins to give its ids anew, also while the stream is processed: the
    /// next event is compared with what is left. Not from within a handler.
    public func prune(keepingNewest count: Int) throws(SQLiteError) {
        precondition(count >= 0, "prune(keepingNewest: \(count)): at least 0")
        try state.withLock { state throws(SQLiteError) in
            try records.prune(keepingNewest: count)
            if count == 0 { state.machine.forgotPlaces() }
        }
    }
}

/// What the event source asks for.
extension SQLiteLedger {
    /// Begins to process, from what the file says now. `false` where somebody does already, in
    /// this process or in another.
    public func acquire() throws -> Bool {
        try state.withLock { state in
            guard state.lock == nil,
                let lock = try StreamLock(path: path, stream: records.number)
            else { return false }
            let cursor = try records.cursor()
            state = State(machine: ResumeMachine(restored: cursor, policy: policy), lock: lock)
            stored.withLock { $0 = cursor }
            return true
        }
    }

    /// Ends what `acquire` began.
    public func release() {
        state.withLock { state in
            state.machine.abandoned()
            state.lock = nil
            state.handling = nil
        }
    }

    /// A complete event is next.
    public func offer(_ offer: ResumeMachine.Offer) throws -> ResumeMachine.Decision {
        try state.withLock { state in
            let earlier = try recall(offer.ownID ?? offer.lastEventID, to: &state)
            let decision = state.machine.offer(offer)
            if decision != .skipCommitted { state.handling = (offer.ownID, 1, earlier) }
            return decision
        }
    }

    /// The handler returned: its event's id and the cursor are stored.
    public func commit() throws {
        try commit { _ in }
    }

    /// The app passes over the event: its id and the cursor are stored, and that it had no effect.
    public func passOver() throws {
        try store({ _ in .passedOver }, applying: { _ in })
    }

    /// Runs `effect`, and stores its event's id and the cursor in the same transaction.
    func commit(applying effect: (borrowing SQLiteTransaction) throws -> Void) throws {
        try store({ .committed(attempt: $0) }, applying: effect)
    }

    private func store(
        _ result: (_ attempt: Int) -> Record.Result,
        applying effect: (borrowing SQLiteTransaction) throws -> Void
    ) throws {
        try state.withLock { state in
            guard let (id, attempt, earlier) = state.handling else {
                preconditionFailure("commit without an event")
            }
            var next = state.machine
            next.succeeded()
            try records.database.transaction {
                let place = try id.flatMap { id throws(SQLiteError) in try records.place(of: id) }
                // Also after a COMMIT that failed and had come through.
                if let place, place != earlier { return }
                try apply(effect)
                if let id {
                    let record = Record(id: id, result: result(attempt), cursor: next.cursor)
                    try records.commit(record, replacing: place)
                } else {
                    try records.move(to: next.cursor)
                }
            } failed: {
                $0 as any Error
            }
            state.machine = next
            state.handling = nil
            stored.withLock { $0 = next.cursor }
        }
    }

    private func apply(_ effect: (borrowing SQLiteTransaction) throws -> Void) throws {
        do {
            try records.database.restricted { try effect(SQLiteTransaction(records.database)) }
            // The handler may have passed over an error that ended it.
            try records.database.requireTransaction()
        } catch {
            throw HandlerFailure(error)
        }
    }

    /// The handler threw, or what was to be stored was not.
    public func failed(
        using generator: inout some RandomNumberGenerator
    ) -> ResumeMachine.FailureAction {
        state.withLock { state in
            state.handling?.attempt += 1
            return state.machine.failed(using: &generator)
        }
    }

    /// Nobody handles the event any more; it comes again.
    public func abandoned() {
        state.withLock { state in
            state.machine.abandoned()
            state.handling = nil
        }
    }

    /// A block without data moved the last event ID.
    public func moved(to id: EventID?) throws {
        try state.withLock { state in
            try recall(id, to: &state)
            var next = state.machine
            next.moved(to: id)
            if next.cursor != state.machine.cursor { try records.move(to: next.cursor) }
            state.machine = next
            stored.withLock { $0 = next.cursor }
        }
    }

    /// A snapshot stands for all events up to `id`: the cursor is stored, and all committed ids of
    /// this stream are forgotten, in one transaction.
    public func restarted(at id: EventID?) throws {
        try state.withLock { state in
            var next = state.machine
            next.restarted(at: id)
            try records.database.transaction { () throws(SQLiteError) in
                try records.restart(at: id)
            } failed: {
                $0
            }
            state.machine = next
            stored.withLock { $0 = next.cursor }
        }
    }

    /// Tells the machine what the table knows of an id: also that it was forgotten, by this ledger
    /// or by another on the same file. Its place there; `nil` for none.
    @discardableResult
    private func recall(_ id: EventID?, to state: inout State) throws(SQLiteError) -> Int64? {
        guard let id else { return nil }
        let place = try records.place(of: id)
        if place == nil {
            state.machine.forgot(id)
        } else {
            state.machine.recalled(id)
        }
        return place
    }
}
