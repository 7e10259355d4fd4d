public import Belay
public import BelayCore
import Synchronization

/// What was processed, in a small file of its own: the cursor and the newest committed ids.
///
/// For apps without a database. Each commit puts a whole new file in place of the old one, on the
/// disk when it returns; a crash at any moment leaves one of the two. The effect of an event
/// cannot be part of that: it happens before, so a crash between the two repeats it, once for each
/// such crash, and nothing else. Where that must not be, use `SQLiteLedger`.
///
/// ```swift
/// let ledger = try FileLedger(path: "orders.ledger")
/// let feed = EventSource(url: url, ledger: ledger)
/// ```
///
/// Where blocks without data moved the cursor is remembered while the ledger is acquired, up to 64
/// of them, and not stored. In the next life a server that replays from before such a block takes
/// the cursor back to it, until the next new event is committed; not to the one where the cursor
/// stood. Nothing is lost by that: the next request asks from an earlier place. What comes again is
/// skipped as in any replay, by one of the `window` stored ids; an event without an id of its own
/// is handled again.
///
/// One stream has one file. Its size is the policy's `window` ids, by default 1,024; it is written
/// anew for each event, on the task that reads, which waits for the disk twice.
public final class FileLedger: EventLedger {
    private struct State {
        var machine: ResumeMachine
        var lock: FileLock?
    }

    /// The ledger's file, without links.
    public let path: String
    /// The id of the last processed event: what the next request says.
    ///
    /// As the file said when this ledger was opened or last acquired, and as it was moved since.
    /// Kept in memory: the transport's thread reads it.
    public var cursor: EventID? { stored.withLock { $0 } }

    private let policy: ResumePolicy
    private let disk: DiskCalls
    private let stored: Mutex<EventID?>
    /// Held while the file is written.
    private let state: Mutex<State>

    /// The ledger in the file at `path`; where there is none, the first commit makes it.
    ///
    /// - Parameters:
    ///   - path: A file in a folder that can be written. Beside it stand `.lock`, which stays
    ///     empty, and for the time of a commit `.new`.
    ///   - policy: How many ids are kept, the attempts of a handler and the waits between them.
    /// - Throws: `FileLedgerError`, which names the file and why it cannot be used. A file that is
    ///   damaged, of something else or of a later version is left as it is.
    public convenience init(
        path: String, policy: ResumePolicy = ResumePolicy()
    ) throws(FileLedgerError) {
        try self.init(path: path, policy: policy, disk: .system)
    }

    /// The same over these calls of the system.
    init(
        path: String, policy: ResumePolicy = ResumePolicy(), disk: DiskCalls
    ) throws(FileLedgerError) {
        self.path = try LedgerFile.resolved(path)
        (self.policy, self.disk) = (policy, disk)
        let machine = try Self.machine(of: self.path, policy)
        stored = Mutex(machine.cursor)
        state = Mutex(State(machine: machine))
    }

    /// The newest committed ids, oldest first: as many as the policy's `window` at most.
    public var committedIDs: [EventID] { state.withLock { $0.machine.committedIDs } }

    /// Begins to process, from what the file says now. `false` where somebody does already, in
    /// this process or in another one.
    public func acquire() throws -> Bool {
        try state.withLock { state in
            guard state.lock == nil, let lock = try FileLock(path: path + ".lock") else {
                return false
            }
            state = State(machine: try Self.machine(of: path, policy), lock: lock)
            stored.withLock { $0 = state.machine.cursor }
            return true
        }
    }

    /// Ends what `acquire` began.
    public func release() {
        state.withLock { state in
            state.machine.abandoned()
            state.lock = nil
        }
    }

    /// A complete event is next.
    public func offer(_ offer: ResumeMachine.Offer) -> ResumeMachine.Decision {
        state.withLock { $0.machine.offer(offer) }
    }

    /// The handler returned: its event's id and the cursor are stored.
    public func commit() throws {
        try change { $0.succeeded() }
    }

    /// The handler threw, or what was to be stored was not.
    public func failed(
        using generator: inout some RandomNumberGenerator
    ) -> ResumeMachine.FailureAction {
        state.withLock { $0.machine.failed(using: &generator) }
    }

    /// Nobody handles the event any more; it comes again.
    public func abandoned() {
        state.withLock { $0.machine.abandoned() }
    }

    /// A block without data moved the last event ID.
    public func moved(to id: EventID?) throws {
        try change { $0.moved(to: id) }
    }

    /// A snapshot stands for all events up to `id`: the cursor is replaced, the ids are forgotten.
    public func restarted(at id: EventID?) throws {
        try change { $0.restarted(at: id) }
    }

    /// What the machine would become is stored first; then it becomes so.
    private func change(_ body: (inout ResumeMachine) -> Void) throws {
        try state.withLock { state in
            // Without it another process may have a newer file there.
            precondition(state.lock != nil, "a file is written by whoever has acquired it")
            var next = state.machine
            body(&next)
            let record = LedgerRecord(next)
            if record != LedgerRecord(state.machine) {
                try LedgerFile.replace(path, with: record, by: disk)
            }
            state.machine = next
            stored.withLock { $0 = next.cursor }
        }
    }

    private static func machine(
        of path: String, _ policy: ResumePolicy
    ) throws(FileLedgerError) -> ResumeMachine {
        guard let record = try LedgerFile.record(at: path) else {
            return ResumeMachine(policy: policy)
        }
        var machine = ResumeMachine(restored: record.cursor, policy: policy)
        for id in record.committedIDs { machine.recalled(id) }
        return machine
    }
}

extension LedgerRecord {
    fileprivate init(_ machine: ResumeMachine) {
        self.init(cursor: machine.cursor, committedIDs: machine.committedIDs)
    }
}
