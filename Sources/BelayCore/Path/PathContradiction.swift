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

    /// The system said something else: what was proved before proves nothing of it.
    public mutating func hintChanged() {
        stands = false
    }
}
