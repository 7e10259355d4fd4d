/// One line of evidence. It cannot carry payloads, tokens, header values or addresses (law 8).
public enum EvidenceRecord: Hashable, Sendable {
    /// Something happened to a connection.
    case connection(ConnectionRecord)
    /// An event ended at its handler.
    case event(EventRecord)
    /// A path observation reported.
    case path(PathRecord)
}

/// One line of evidence about the path: a report, and the hint afterwards.
public struct PathRecord: Hashable, Sendable {
    /// When, in milliseconds on the driver's monotonic line.
    public let at: Milliseconds
    /// The observation that reported.
    public let generation: Generation
    /// What it reported.
    public let update: PathUpdate
    /// What became of the report.
    public let verdict: InputVerdict
    /// The state afterwards.
    public let after: PathState
    /// How many reports of older observations were dropped up to here, this one included.
    public let dropped: UInt64

    /// A record of one report.
    public init(
        at: Milliseconds, generation: Generation, update: PathUpdate, verdict: InputVerdict,
        after: PathState, dropped: UInt64 = 0
    ) {
        self.at = at
        self.generation = generation
        self.update = update
        self.verdict = verdict
        self.after = after
        self.dropped = dropped
    }
}
