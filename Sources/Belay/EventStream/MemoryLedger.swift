public import BelayCore
import Synchronization

/// What was processed, kept in memory: the cursor, and a window of committed ids.
///
/// It outlives connections and `EventSource`s: give the same ledger to a new one, and it goes on
/// where the old one stood. It does not outlive the process.
public final class MemoryLedger: Sendable {
    private let machine: Mutex<ResumeMachine>

    /// A ledger that stands behind `lastEventID`, an id that was processed earlier.
    public init(lastEventID: String? = nil, policy: ResumePolicy = ResumePolicy()) {
        let cursor = lastEventID.flatMap { EventID($0) }
        machine = Mutex(ResumeMachine(cursor: cursor, policy: policy))
    }

    /// The id of the last processed event: what the next request says.
    public var cursor: EventID? { machine.withLock { $0.cursor } }

    /// A complete event is next.
    func offer(_ offer: ResumeMachine.Offer) -> ResumeMachine.Decision {
        machine.withLock { $0.offer(offer) }
    }

    /// The handler returned.
    func succeeded() {
        machine.withLock { $0.succeeded() }
    }

    /// The handler threw.
    func failed(
        using generator: inout some RandomNumberGenerator
    ) -> ResumeMachine.FailureAction {
        machine.withLock { $0.failed(using: &generator) }
    }

    /// Nobody handles the event any more; it comes again.
    func abandoned() {
        machine.withLock { $0.abandoned() }
    }

    /// A block without data moved the last event ID.
    func moved(to id: EventID?) {
        machine.withLock { $0.moved(to: id) }
    }
}
