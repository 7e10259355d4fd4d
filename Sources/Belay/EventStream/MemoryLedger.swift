public import BelayCore
import Synchronization

/// What was processed, kept in memory: the cursor, and a window of committed ids.
///
/// It outlives connections and `EventSource`s: give the same ledger to a new one, and it goes on
/// where the old one stood, once that one has returned. It does not outlive the program.
public final class MemoryLedger: EventLedger {
    private struct State {
        var machine: ResumeMachine
        var isInUse = false
    }

    private let state: Mutex<State>

    /// A ledger that stands behind `lastEventID`, an id that was processed earlier.
    ///
    /// Processing ends at once, with `cursorCannotBeAskedFor(.ledger)`, where no request can say
    /// it: see `EventID.canBeAskedFor`.
    public init(lastEventID: String? = nil, policy: ResumePolicy = ResumePolicy()) {
        let cursor = lastEventID.flatMap { EventID($0) }
        state = Mutex(State(machine: ResumeMachine(cursor: cursor, policy: policy)))
    }

    /// The id of the last processed event: what the next request says.
    public var cursor: EventID? { state.withLock { $0.machine.cursor } }

    /// Begins to process with this ledger. `false` where somebody does already: two at once would
    /// commit over each other.
    public func acquire() -> Bool {
        state.withLock { state in
            defer { state.isInUse = true }
            return !state.isInUse
        }
    }

    /// Ends what `acquire` began.
    public func release() {
        state.withLock { $0.isInUse = false }
    }

    /// A complete event is next.
    public func offer(_ offer: ResumeMachine.Offer) -> ResumeMachine.Decision {
        state.withLock { $0.machine.offer(offer) }
    }

    /// The handler returned.
    public func commit() {
        state.withLock { $0.machine.succeeded() }
    }

    /// The handler threw.
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
    public func moved(to id: EventID?) {
        state.withLock { $0.machine.moved(to: id) }
    }

    /// A snapshot stands for all events up to `id`.
    public func restarted(at id: EventID?) {
        state.withLock { $0.machine.restarted(at: id) }
    }
}
