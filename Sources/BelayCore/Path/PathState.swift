/// What the system says of the network path. A hint: it never forbids anything.
public enum PathState: Hashable, Sendable, CaseIterable {
    /// No word from the present observation yet. Shown as unknown, never as offline.
    case unknown
    /// A path satisfies what was asked for (`satisfied`); it proves no server.
    case available
    /// A path could come up on demand (`requiresConnection`): not offline.
    case needsConnection
    /// The system sees no path (`unsatisfied`); a request may still work.
    case unavailable
}

/// One report of a path observation.
public struct PathUpdate: Hashable, Sendable {
    /// What the system says of the path.
    public var state: PathState
    /// The path costs its user: cellular, a hotspot. It is no particular interface.
    public var expensive: Bool
    /// The user asked for little traffic (Low Data Mode). It is not offline.
    public var constrained: Bool

    /// A report; the flags are false unless the system says otherwise.
    public init(_ state: PathState, expensive: Bool = false, constrained: Bool = false) {
        self.state = state
        self.expensive = expensive
        self.constrained = constrained
    }
}
