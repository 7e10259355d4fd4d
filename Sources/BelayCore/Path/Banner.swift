/// What a banner says of the network: a function of hint and outcome, and of nothing else.
///
/// It never says that a request will fail. Showing one is all it does: retrying stays possible.
public enum Banner: Hashable, Sendable, CaseIterable {
    /// Nothing needs to be said.
    case none
    /// The system has not reported yet: say so, or nothing; never "offline".
    case pathUnknown
    /// A path comes up when it is used.
    case pathOnDemand
    /// The system sees no path; offer a retry.
    case pathUnavailable
    /// The newest request failed, whatever the path; offer a retry.
    case requestFailed

    /// The banner for the present hint and the newest outcome.
    ///
    /// | outcome | unknown | available | needsConnection | unavailable |
    /// |---|---|---|---|---|
    /// | none, succeeded | pathUnknown | none | pathOnDemand | pathUnavailable |
    /// | failed | requestFailed | requestFailed | requestFailed | pathUnavailable |
    ///
    /// A failure is the better evidence, but for a missing path, which may explain it.
    public init(path: PathState, outcome: RequestOutcome) {
        switch (path, outcome) {
        case (.unavailable, _): self = .pathUnavailable
        case (.unknown, .failed), (.available, .failed), (.needsConnection, .failed):
            self = .requestFailed
        case (.unknown, .none), (.unknown, .succeeded): self = .pathUnknown
        case (.available, .none), (.available, .succeeded): self = .none
        case (.needsConnection, .none), (.needsConnection, .succeeded): self = .pathOnDemand
        }
    }
}
