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
    /// A request succeeded though the system sees no path: it is wrong, so say nothing of offline.
    case pathContradicted
    /// The newest request failed, whatever the path; offer a retry.
    case requestFailed

    /// The banner for the present hint and the newest outcome.
    ///
    /// | outcome | unknown | available | needsConnection | unavailable |
    /// |---|---|---|---|---|
    /// | none, succeeded | pathUnknown | none | pathOnDemand | pathUnavailable |
    /// | failed | requestFailed | requestFailed | requestFailed | pathUnavailable |
    ///
    /// A failure is the better evidence, but for a missing path, which may explain it. A success
    /// that came after the word of a missing path contradicts it: `PathContradiction` knows.
    public init(path: PathState, outcome: RequestOutcome, isContradicted: Bool = false) {
        switch (path, outcome) {
        case (.unavailable, .succeeded) where isContradicted: self = .pathContradicted
        case (.unavailable, _): self = .pathUnavailable
        case (.unknown, .failed), (.available, .failed), (.needsConnection, .failed):
            self = .requestFailed
        case (.unknown, .none), (.unknown, .succeeded): self = .pathUnknown
        case (.available, .none), (.available, .succeeded): self = .none
        case (.needsConnection, .none), (.needsConnection, .succeeded): self = .pathOnDemand
        }
    }

    /// The key of its text in an app's tables of strings.
    public var textKey: String {
        switch self {
        case .none: "belay.banner.none"
        case .pathUnknown: "belay.banner.pathUnknown"
        case .pathOnDemand: "belay.banner.pathOnDemand"
        case .pathUnavailable: "belay.banner.pathUnavailable"
        case .pathContradicted: "belay.banner.pathContradicted"
        case .requestFailed: "belay.banner.requestFailed"
        }
    }
}
