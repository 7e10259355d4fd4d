public import BelayCore

/// What the app of a scenario saw or did, beside what its connection recorded.
///
/// Like every record it has no field that could carry a payload (law 8).
public struct AppRecord: Hashable, Sendable {
    /// What happened.
    public enum Event: Hashable, Sendable {
        /// The scenario's step of this place, from 1, began.
        case step(Int)
        /// All steps were taken; what follows is cleaning up.
        case finished
        /// The app was started again: generations are numbered anew.
        case restarted
        /// The app began to read: from here on it wants a connection.
        case reading
        /// The app read that a generation opened.
        case opened(Generation)
        /// The app read a message of so many bytes.
        case message(Generation, byteCount: Int)
        /// The app read that a generation ended.
        case closed(Generation, CloseCause)
        /// A send returned, or failed.
        case sendEnded(succeeded: Bool)
        /// The handler was given the event with this id.
        case handling(EventID?)
        /// The effect of the event with this id and so many bytes of data happened in the app's
        /// store.
        case applied(EventID?, byteCount: Int)
        /// From here on the app wants nothing of the peer: it cancelled its reading, or closed.
        case left
        /// Reading ended.
        case readingEnded(ReadingEnd)
        /// What the screen shows now, and from what.
        case shown(Banner, path: PathState, outcome: RequestOutcome, expensive: Bool)
    }

    /// How a reader's loop, or `process`, came to its end.
    public enum ReadingEnd: Hashable, Sendable {
        /// It returned.
        case returned
        /// Its connection ended by a cause that no retry can mend.
        case closed(CloseCause)
        /// The handler failed as often as the policy allows.
        case handlerGaveUp
        /// Its task was cancelled.
        case cancelled
        /// Another reader was first.
        case alreadyReading
    }

    /// When, in milliseconds on the line of the connection's records.
    public let at: Milliseconds
    /// What.
    public let event: Event

    /// A record of one thing.
    public init(at: Milliseconds, _ event: Event) {
        self.at = at
        self.event = event
    }
}

/// One entry of the client's side, in the order in which it was recorded.
public enum ClientEntry: Hashable, Sendable {
    /// What the connection, its events or its path recorded.
    case record(EvidenceRecord)
    /// What the app saw or did.
    case app(AppRecord)

    /// When, in milliseconds on the monotonic line.
    public var at: Milliseconds {
        switch self {
        case .record(.connection(let record)): record.at
        case .record(.event(let record)): record.at
        case .record(.path(let record)): record.at
        case .app(let record): record.at
        }
    }
}
