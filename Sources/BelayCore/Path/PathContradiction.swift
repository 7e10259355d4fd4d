/// Whether a request succeeded after the system said that there is no path.
///
/// Systems are wrong for minutes at times, after sleep or in a simulator. Neither finding is
/// changed by the other: this only tells a banner which of them to believe.
public struct PathContradiction: Hashable, Sendable {
    /// The newest word is "no path", and a request has succeeded since.
    public private(set) var stands = false

    /// Nothing was contradicted yet.
    public init() {}

    /// A request succeeded while the hint said this.
    public mutating func succeeded(under hint: NetworkHint) {
        stands = hint.state == .unavailable
    }

    /// The hint is another one now: what was proved before proves nothing of another path, or of
    /// another observation. What a path costs, and why there is none, is no other path.
    public mutating func hintChanged(from old: NetworkHint, to new: NetworkHint) {
        if old.generation != new.generation || old.newest.state != new.newest.state
            || old.newest.change != new.newest.change
        {
            stands = false
        }
    }
}
