/// What goes wrong, on which connection, at which moment: the whole of an endpoint's misbehaviour.
///
/// The same plan and the same moments give the same bytes, chance included: it is drawn from
/// `seed`. As JSON:
///
/// ```json
/// {
///   "seed": 7,
///   "rules": [
///     {"connection": 1, "at": {"afterID": 2}, "fault": "reset"},
///     {"connection": 2, "at": {"ping": 3}, "fault": {"latePong": {"milliseconds": 500}}},
///     {"connection": {"from": 3}, "at": "accepted", "fault": {"drip": {"milliseconds": 20}}},
///     {"at": {"elapsed": 30000}, "fault": "fin"}
///   ]
/// }
/// ```
///
/// | key | value | without it |
/// |---|---|---|
/// | `seed` | 0 to 2⁶⁴ - 1 | 0 |
/// | `rules` | an array of at most 1,000 | no rules |
/// | `rules[].connection` | an `Occurrence`, in order of accept | `"every"` |
/// | `rules[].at` | a `MomentPattern` | an error |
/// | `rules[].fault` | the fault's name, or `{name: {parameters}}`; see `Fault` | an error |
///
/// An unknown key is an error: a fault that silently does not strike proves the wrong thing.
/// Decoding throws `FaultPlanError`.
public struct FaultPlan: Hashable, Sendable {
    /// What chance is drawn from.
    public var seed: UInt64
    /// The rules, in the order in which they are asked. At most `ruleLimit` can be read.
    public var rules: [FaultRule]

    /// The most rules that are read from JSON: each is asked at each of its moments.
    public static let ruleLimit = 1_000

    /// A plan; by default nothing goes wrong.
    public init(seed: UInt64 = 0, rules: [FaultRule] = []) {
        self.seed = seed
        self.rules = rules
    }

    /// Whether some rule names this connection.
    func concerns(connection: Int) -> Bool {
        rules.contains { $0.connection.contains(connection) }
    }
}

/// One fault with the connections and the moments at which it strikes.
public struct FaultRule: Hashable, Sendable {
    /// The connections of the listener, counted from 1 in order of accept.
    public var connection: Occurrence
    /// The moments.
    public var at: MomentPattern
    /// What happens then.
    public var fault: Fault

    /// A rule with every part given.
    public init(on connection: Occurrence = .every, at: MomentPattern, _ fault: Fault) {
        self.connection = connection
        self.at = at
        self.fault = fault
    }
}
