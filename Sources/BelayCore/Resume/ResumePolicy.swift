/// The numbers of a `ResumeMachine`.
public struct ResumePolicy: Hashable, Sendable {
    /// What becomes of an event whose id was committed before.
    public enum Duplicates: Hashable, Sendable {
        /// It is a replay: its effect has happened, and it is not handled again.
        ///
        /// True only where ids are unique for the life of the stream. Where the server numbers
        /// anew, such as by a counter in its memory that a restart sets back, new events with old
        /// ids are taken for replays and lost.
        case skipped
        /// It is an event like any other: it is handled, and the cursor follows it.
        ///
        /// For a server whose ids are not unique. Each event is applied at least once, by any
        /// ledger: what the server resends is handled again, takes the cursor back to it, and
        /// counts as progress, so that the next waits are first ones.
        case handled
    }

    /// What becomes of an event whose id was committed before. Default `.skipped`.
    ///
    /// An event without an id is none of them: it is handled each time it comes.
    public var duplicates: Duplicates
    /// How many committed ids are remembered, so that a replayed event is not handled again.
    ///
    /// Default 1,024: more than a server resends after one cut. At least 1. Without effect where
    /// duplicates are handled.
    public var window: Int
    /// How often a failing handler gets the same event, at least 1; `nil` for without end.
    ///
    /// Default 8: with the default backoff about a minute. Then the stream ends, and the cursor
    /// still stands before the event.
    public var attemptLimit: Int?
    /// The waits between a handler's attempts.
    public var backoff: BackoffPolicy

    /// A policy.
    public init(
        window: Int = 1_024, attemptLimit: Int? = 8, backoff: BackoffPolicy = BackoffPolicy(),
        duplicates: Duplicates = .skipped
    ) {
        precondition(window >= 1, "window \(window): at least 1")
        precondition((attemptLimit ?? 1) >= 1, "attemptLimit: at least 1")
        self.duplicates = duplicates
        self.window = window
        self.attemptLimit = attemptLimit
        self.backoff = backoff
    }
}
