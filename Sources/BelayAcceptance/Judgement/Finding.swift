/// One expectation beside what was observed.
public struct Finding: Hashable, Sendable {
    /// What was looked at: `time from ping to end`.
    public let observable: String
    /// What it had to be, with its unit.
    public let threshold: String
    /// What it was, in the same unit.
    public let observed: String
    /// Whether the observed value keeps the threshold.
    public let isMet: Bool
    /// Whether a machine that stood still may be the reason for an unmet one.
    public let excuse: Excuse

    /// What may explain that an expectation was not met.
    public enum Excuse: Hashable, Sendable {
        /// A stall: something came too late, or not at all in the time there was.
        case stall
        /// Nothing: no machine is slow enough to make it happen.
        case none
    }

    /// A finding with every part given.
    public init(
        _ observable: String, threshold: String, observed: String, isMet: Bool,
        excuse: Excuse = .stall
    ) {
        self.observable = observable
        self.threshold = threshold
        self.observed = observed
        self.isMet = isMet
        self.excuse = excuse
    }
}
