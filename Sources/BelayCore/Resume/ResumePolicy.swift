/// The numbers of a `ResumeMachine`.
public struct ResumePolicy: Hashable, Sendable {
    /// How many committed ids are remembered, so that a replayed event is not handled again.
    ///
    /// Default 1,024: more than a server resends after one cut. At least 1.
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
        window: Int = 1_024, attemptLimit: Int? = 8, backoff: BackoffPolicy = BackoffPolicy()
    ) {
        precondition(window >= 1, "window \(window): at least 1")
        precondition((attemptLimit ?? 1) >= 1, "attemptLimit: at least 1")
        self.window = window
        self.attemptLimit = attemptLimit
        self.backoff = backoff
    }
}
