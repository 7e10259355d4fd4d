/// Which kind of work may cost its user what: for downloads, prefetching, backups.
///
/// It looks at cost only, never at whether a path is there (P11): expensive is no interface, and
/// constrained is not offline. What a person asked for is never put off. Give `terms(for:)` to
/// the system, which puts requests off by itself, or keep operations in `DeferredWork`.
public struct TrafficPolicy: Hashable, Sendable {
    /// What a kind of work may use.
    public struct Terms: Hashable, Sendable {
        /// Paths that cost their user: cellular, a hotspot. URLSession's
        /// `allowsExpensiveNetworkAccess`.
        public var allowsExpensive: Bool
        /// Paths in Low Data Mode. URLSession's `allowsConstrainedNetworkAccess`.
        public var allowsConstrained: Bool

        /// Terms; everything unless said otherwise.
        public init(allowsExpensive: Bool = true, allowsConstrained: Bool = true) {
            self.allowsExpensive = allowsExpensive
            self.allowsConstrained = allowsConstrained
        }
    }

    /// What will probably be wanted soon. Default: not in Low Data Mode, which the user chose.
    public var anticipated: Terms
    /// What nobody waits for. Default: neither on expensive nor on constrained paths.
    public var maintenance: Terms
    /// How long work is put off at most, in milliseconds, at least 0. Default 86,400,000, a day.
    ///
    /// A flag can be wrong for ever: a desktop behind a hotspot. Then it is done all the same.
    public var longestDeferral: Milliseconds
    /// How long work waits at most for the first word of what the path costs, in milliseconds, at
    /// least 0. Default 2,000: a system that says it does so within a few, and an app that starts
    /// should not begin a backup on cellular in them. It waits in vain where nobody will ever say.
    public var longestUnknown: Milliseconds

    /// A policy.
    public init(
        anticipated: Terms = Terms(allowsConstrained: false),
        maintenance: Terms = Terms(allowsExpensive: false, allowsConstrained: false),
        longestDeferral: Milliseconds = 86_400_000, longestUnknown: Milliseconds = 2_000
    ) {
        precondition(longestDeferral >= 0, "longestDeferral \(longestDeferral) ms: at least 0")
        precondition(longestUnknown >= 0, "longestUnknown \(longestUnknown) ms: at least 0")
        self.anticipated = anticipated
        self.maintenance = maintenance
        self.longestDeferral = longestDeferral
        self.longestUnknown = longestUnknown
    }

    /// What work of this kind may use.
    public func terms(for kind: WorkKind) -> Terms {
        switch kind {
        case .requested: Terms()
        case .anticipated: anticipated
        case .maintenance: maintenance
        }
    }

    /// Why work of this kind waits on a path of this cost; `nil` where it is done now.
    public func deferral(of kind: WorkKind, on cost: PathCost) -> Deferral? {
        let terms = terms(for: kind)
        // The user's own wish is the better reason to show.
        if cost.constrained, !terms.allowsConstrained { return .constrained }
        if cost.expensive, !terms.allowsExpensive { return .expensive }
        return nil
    }
}

/// For whom work is done.
public enum WorkKind: Hashable, Sendable, CaseIterable {
    /// A person asked for it, and waits.
    case requested
    /// It will probably be wanted soon: prefetching, previews.
    case anticipated
    /// Nobody waits for it: backups, updates.
    case maintenance
}

/// What using a path costs. `DeferredWork` makes it of a path's hints.
public struct PathCost: Hashable, Sendable {
    /// The path costs its user.
    public var expensive: Bool
    /// The user asked for little traffic.
    public var constrained: Bool

    /// A cost; none unless said otherwise.
    public init(expensive: Bool = false, constrained: Bool = false) {
        self.expensive = expensive
        self.constrained = constrained
    }
}

/// Why work waits: for a user to see, with a way to do it now.
public enum Deferral: Hashable, Sendable, CaseIterable {
    /// The path costs its user; it waits for another.
    case expensive
    /// The user asked for little traffic; it waits for the end of that.
    case constrained
    /// Nobody has said yet what the path costs; it waits a moment.
    case notReported
}
