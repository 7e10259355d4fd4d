/// Decides which events are handled, and when the cursor moves: after the handler, never before.
///
/// One event at a time: `offer` a complete event, run the handler if the answer says so, then say
/// `succeeded` or `failed`. It outlives connections, so that an event whose connection was lost
/// while its handler ran is committed all the same, and its replay is known.
public struct ResumeMachine: Hashable, Sendable {
    /// What a complete event carries of ids.
    public struct Offer: Hashable, Sendable {
        /// The id field that stood in this very event; `nil` for none.
        ///
        /// An event without one inherits the last event ID, and is not a replay of that event.
        public var ownID: EventID?
        /// The last event ID at its blank line; `nil` where it is empty. Source: HTML, 9.2.6.
        public var lastEventID: EventID?

        /// The ids of an event.
        public init(ownID: EventID?, lastEventID: EventID?) {
            self.ownID = ownID
            self.lastEventID = lastEventID
        }
    }

    /// What to do with an offered event.
    public enum Decision: Hashable, Sendable {
        /// Run the handler, then say how it ended.
        case handle(attempt: Int)
        /// It was committed before: its effect has happened.
        case skipCommitted
    }

    /// What follows from a failed handler, or from what could not be stored.
    public enum FailureAction: Hashable, Sendable {
        /// Try the same again after this wait, in milliseconds.
        case retry(after: Milliseconds)
        /// The policy's limit is reached; the cursor stands where it stood.
        case giveUp
    }

    private enum State: Hashable, Sendable {
        /// Between events.
        case ready
        /// The place of a block or a snapshot could not be stored, so often.
        case placing(backoff: Backoff)
        /// The handler has this event; it failed so often before.
        case handling(Offer, backoff: Backoff)
        /// Given up on an event or a place; nothing is handled after it.
        case gaveUp
    }

    /// The numbers.
    public let policy: ResumePolicy
    /// What the next request says in `Last-Event-ID`: the last *processed* event's id, of those
    /// that a request can say.
    ///
    /// `nil` sends no such field.
    public private(set) var cursor: EventID?

    private var state = State.ready
    private var window: CommittedWindow
    /// Where blocks without data have moved the cursor: places behind it, and no events.
    ///
    /// At most 64: a server resends what came after one cursor.
    private var places = CommittedWindow(limit: 64)

    /// A machine that resumes after `cursor`, an id that was committed earlier.
    public init(cursor: EventID? = nil, policy: ResumePolicy = ResumePolicy()) {
        self.policy = policy
        self.cursor = cursor
        window = CommittedWindow(limit: policy.window)
        if let cursor { window.insert(cursor) }
    }

    /// A machine that goes on from a record which knows itself what was committed; see `recalled`.
    ///
    /// Its cursor may be an id that no event had yet: a block without data can move it there. So it
    /// counts as such a block's place, and a replay from before it does not take the cursor back.
    public init(restored cursor: EventID?, policy: ResumePolicy = ResumePolicy()) {
        self.init(policy: policy)
        self.cursor = cursor
        if let cursor { places.insert(cursor) }
    }

    /// The committed ids that are remembered, oldest first: what a ledger stores of them.
    public var committedIDs: [EventID] { window.inOrder }

    /// Whether the handler has an event now.
    public var isHandling: Bool {
        switch state {
        case .handling: true
        case .ready, .placing, .gaveUp: false
        }
    }

    /// A record outside knows this id as committed, though the window may have forgotten it.
    ///
    /// Call right before the `offer` or `moved(to:)` that names the id.
    public mutating func recalled(_ id: EventID) {
        window.insert(id)
    }

    /// A record outside does not know this id as committed, though the window may: it was told to
    /// forget it.
    ///
    /// Call where `recalled` would be called otherwise.
    public mutating func forgot(_ id: EventID) {
        window.remove(id)
    }

    /// The server gives its ids anew: no place of an earlier block lies behind the cursor any more.
    public mutating func forgotPlaces() {
        places = CommittedWindow(limit: 64)
    }

    /// A complete event is next. Not to be called while the handler has one.
    public mutating func offer(_ offer: Offer) -> Decision {
        switch state {
        case .ready:
            if let id = offer.ownID, isReplay(id) { return .skipCommitted }
            state = .handling(offer, backoff: Backoff(policy: policy.backoff))
            return .handle(attempt: 1)
        case .placing, .handling, .gaveUp:
            preconditionFailure("offer while \(state)")
        }
    }

    /// The handler returned: the event is processed, and the cursor moves.
    public mutating func succeeded() {
        switch state {
        case .handling(let offer, _):
            moveCursor(to: offer.lastEventID)
            if let id = offer.ownID { window.insert(id) }
            state = .ready
        case .ready, .placing, .gaveUp:
            preconditionFailure("succeeded while \(state)")
        }
    }

    /// The handler failed: the cursor stays, and the event comes again.
    ///
    /// Between events: what `moved(to:)` or `restarted(at:)` would make of this machine could not
    /// be stored, and that is tried again before the next event.
    public mutating func failed(
        using generator: inout some RandomNumberGenerator
    ) -> FailureAction {
        switch state {
        case .ready:
            let backoff = Backoff(policy: policy.backoff)
            return failed(backoff, using: &generator) { .placing(backoff: $0) }
        case .placing(let backoff):
            return failed(backoff, using: &generator) { .placing(backoff: $0) }
        case .handling(let offer, let backoff):
            return failed(backoff, using: &generator) { .handling(offer, backoff: $0) }
        case .gaveUp:
            preconditionFailure("failed while \(state)")
        }
    }

    private mutating func failed(
        _ backoff: Backoff, using generator: inout some RandomNumberGenerator,
        next: (Backoff) -> State
    ) -> FailureAction {
        var backoff = backoff
        let wait = backoff.failed(using: &generator)
        if let limit = policy.attemptLimit, backoff.failures >= limit {
            state = .gaveUp
            return .giveUp
        }
        state = next(backoff)
        return .retry(after: wait)
    }

    /// The stream ended while the handler's event was not processed: it is offered again later.
    public mutating func abandoned() {
        switch state {
        case .placing, .handling, .gaveUp: state = .ready
        case .ready: return
        }
    }

    /// A complete block without data set the last event ID; `nil` clears it.
    ///
    /// Call in its place among the events: what came before it is processed.
    public mutating func moved(to lastEventID: EventID?) {
        switch state {
        case .ready, .placing:
            state = .ready
            moveCursor(to: lastEventID)
            if let lastEventID { places.insert(lastEventID) }
        case .handling, .gaveUp:
            preconditionFailure("moved(to:) while \(state)")
        }
    }

    /// A snapshot stands for all events up to `id`, in place of what was processed before.
    ///
    /// What follows it is handled, also what was committed earlier: the snapshot may be older than
    /// that, or the server may have begun to give its ids anew. `nil` for a snapshot of a stream
    /// that is read from its beginning.
    public mutating func restarted(at id: EventID?) {
        switch state {
        case .ready, .placing:
            state = .ready
            cursor = id
            window = CommittedWindow(limit: policy.window)
            places = CommittedWindow(limit: 64)
            if let id { window.insert(id) }
        case .handling, .gaveUp:
            preconditionFailure("restarted(at:) while \(state)")
        }
    }

    /// A committed id lies behind the cursor, and so does the place of an earlier block. A replay
    /// of that block, or of an event without an id of its own, must not take the cursor back to
    /// it: whoever restarts from there would get later events again.
    ///
    /// Nor can it stand on an id that no request can say: asking for nothing would replay all, or
    /// lose what came since. It stays on the last one that can be said, and the window knows what
    /// is replayed from there.
    private mutating func moveCursor(to id: EventID?) {
        if let id, isReplay(id) || liesBehind(id) || !id.canBeAskedFor { return }
        cursor = id
    }

    private func isReplay(_ id: EventID) -> Bool {
        policy.duplicates == .skipped && window.contains(id)
    }

    /// Whether an earlier block's place has this id, where an id stands for one place only.
    private func liesBehind(_ id: EventID) -> Bool {
        policy.duplicates == .skipped && places.contains(id)
    }
}
