/// One line of evidence about an event: its id, how its handler ended, and the cursor afterwards.
///
/// The three stand in one record, so that a lost or repeated event shows where it was lost or
/// repeated (requirement E17). Ids are the server's cursors, no payload. Where the cursor stays
/// because no request can say the id behind the event, the record says so.
public struct EventRecord: Hashable, Sendable {
    /// How an event ended at its handler.
    public enum Result: Hashable, Sendable {
        /// The handler returned; the cursor stands behind the event.
        case committed
        /// The app passed over it: the cursor stands behind the event, which had no effect.
        case passedOver
        /// A block without data set the last event ID, and the cursor with it.
        case moved
        /// It was committed earlier, and not handled again.
        case skipped
        /// The handler failed for the `attempt`th time, or storing did, of an event or of the place
        /// of a block or a snapshot; the cursor stands before it.
        case failed(attempt: Int)
        /// The same, for the last time the policy allows.
        case gaveUp(attempt: Int)
        /// The cursor was too old: a snapshot stands for all events up to the cursor.
        case restarted
        /// The cursor was too old, and no snapshot was taken, or one at an id that no request can
        /// say; the cursor stands where it stood.
        case snapshotFailed

        /// Whether the cursor stands elsewhere afterwards, but for an id that no request can say.
        package var movesTheCursor: Bool {
            switch self {
            case .committed, .passedOver, .moved, .restarted: true
            case .skipped, .failed, .gaveUp, .snapshotFailed: false
            }
        }
    }

    /// When, in milliseconds on the driver's monotonic line.
    public let at: Milliseconds
    /// The generation whose transport brought the event.
    public let generation: Generation
    /// The id field of the event itself; `nil` for none.
    public let id: EventID?
    /// How it ended.
    public let result: Result
    /// What the next request would say in `Last-Event-ID`.
    public let cursor: EventID?
    /// Whether `cursor` stays on an earlier id, since no request can say the one behind the event.
    ///
    /// The event is processed all the same, and known where it comes again. A server that gives
    /// such ids only replays everything with each request. Source: `EventID.canBeAskedFor`.
    public let cannotBeAskedFor: Bool

    /// A record of one event.
    public init(
        at: Milliseconds, generation: Generation, id: EventID?, result: Result, cursor: EventID?,
        cannotBeAskedFor: Bool = false
    ) {
        self.at = at
        self.generation = generation
        self.id = id
        self.result = result
        self.cursor = cursor
        self.cannotBeAskedFor = cannotBeAskedFor
    }
}
