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

/// What a system says of a property of the path. It may not know, and then it is not "no".
public enum PathTrait: Hashable, Sendable, CaseIterable {
    /// The system does not say: Linux of a cost, unless something there knows.
    case unknown
    /// It has not the property.
    case no
    /// It has the property.
    case yes

    /// What a system that knows says.
    public init(_ isSo: Bool) {
        self = isSo ? .yes : .no
    }

    /// The same as a truth value; nil where nobody knows.
    public var known: Bool? {
        switch self {
        case .unknown: nil
        case .no: false
        case .yes: true
        }
    }
}

extension PathTrait: ExpressibleByBooleanLiteral {
    /// `true` and `false` of a system that knows.
    public init(booleanLiteral isSo: Bool) {
        self.init(isSo)
    }
}

/// One report of a path observation.
public struct PathUpdate: Hashable, Sendable {
    /// What the system says of the path.
    public var state: PathState
    /// The path costs its user: cellular, a hotspot. It is no particular interface.
    public var expensive: PathTrait
    /// The user asked for little traffic (Low Data Mode). It is not offline.
    public var constrained: PathTrait
    /// Counts the changes that its observation saw: 1 is the first report, with what was there
    /// already, and a greater number is another path even if all else is equal. 0 counts nothing.
    ///
    /// Two networks may look the same: a second SIM, the next hotspot of the same train.
    public var change: UInt32
    /// Why there is no path; nil where nobody says, and where there is one. It is no other path.
    public var reason: PathReason?

    /// A report; nothing is known of the traits, nor of a reason, unless the system says it.
    public init(
        _ state: PathState, expensive: PathTrait = .unknown, constrained: PathTrait = .unknown,
        change: UInt32 = 0, reason: PathReason? = nil
    ) {
        self.state = state
        self.expensive = expensive
        self.constrained = constrained
        self.change = change
        self.reason = reason
    }
}
