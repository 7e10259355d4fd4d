/// What a machine made of an input: accepted, or ignored for a reason that evidence records.
///
/// An ignored input changed nothing.
public enum InputVerdict: Hashable, Sendable, CaseIterable {
    /// It changed the state, or was meant for this state.
    case accepted
    /// It belongs to a generation that is not the current one (law 1).
    case stale
    /// Its generation has ended, and has its cause (law 2).
    case alreadyEnded
    /// It came at or after its deadline.
    case late
    /// It was said before.
    case duplicate
    /// It does not belong in this state: a pong while connecting.
    case unexpected
}

extension InputVerdict {
    /// The verdict in one word, as evidence writes it.
    public var name: StaticString {
        switch self {
        case .accepted: "accepted"
        case .stale: "stale"
        case .alreadyEnded: "alreadyEnded"
        case .late: "late"
        case .duplicate: "duplicate"
        case .unexpected: "unexpected"
        }
    }
}
