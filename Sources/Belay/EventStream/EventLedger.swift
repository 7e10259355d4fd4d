public import BelayCore

/// Where an `EventSource` keeps what was processed: the cursor, and the ids of committed events.
///
/// `MemoryLedger` lasts as long as the program; `FileLedger` of BelayFile and `SQLiteLedger` of
/// BelaySQLite last as long as their files, the second with the effects in its transaction.
/// A ledger of an app's own holds a `ResumeMachine`, which has the rules, and stores what it
/// decides before it tells it `succeeded()`.
///
/// All but `cursor` is called by one task at a time, the one that processes, and may block it.
public protocol EventLedger: AnyObject, Sendable {
    /// The id of the last processed event: what the next request says.
    ///
    /// Asked on the transport's thread: it must not wait for what stores. One that no request can
    /// say (`EventID.canBeAskedFor`) ends the stream: with `cursorCannotBeAskedFor` where
    /// processing begins, with the cause `requestInvalid(.lastEventID)` before a later attempt.
    var cursor: EventID? { get }

    /// Begins to process, from what is stored now. `false` where somebody does already: two at
    /// once would commit over each other.
    func acquire() throws -> Bool

    /// Ends what `acquire` began; an event that was handled and not committed comes again.
    func release()

    /// A complete event is next.
    func offer(_ offer: ResumeMachine.Offer) throws -> ResumeMachine.Decision

    /// The handler returned: its event's id and the cursor are stored together, or neither is.
    ///
    /// When this throws, it is asked again after a wait; the handler is not.
    func commit() throws

    /// The app passes over the event: its id and the cursor are stored as by `commit()`, and it
    /// had no effect.
    ///
    /// By default `commit()`, for a ledger whose record does not tell the two apart.
    func passOver() throws

    /// The handler threw, or `commit`, `passOver`, `moved` or `restarted` did: whether that is
    /// tried again, and after which wait.
    func failed(using generator: inout some RandomNumberGenerator) -> ResumeMachine.FailureAction

    /// Nobody handles the event any more; it comes again.
    func abandoned()

    /// A block without data moved the last event ID; `nil` cleared it.
    ///
    /// When this throws, it is asked again after a wait, as `commit` is.
    func moved(to id: EventID?) throws

    /// A snapshot stands for all events up to `id`: the cursor is stored, and what was committed
    /// before is forgotten, in one step.
    ///
    /// When this throws, it is asked again after a wait, as `commit` is; the snapshot is not.
    func restarted(at id: EventID?) throws
}

extension EventLedger {
    /// Stores the event as a committed one.
    public func passOver() throws { try commit() }
}

/// What a handler threw within a ledger's transaction: its fault, not the ledger's.
package struct HandlerFailure: Error {
    package let cause: any Error

    package init(_ cause: any Error) {
        self.cause = cause
    }
}
