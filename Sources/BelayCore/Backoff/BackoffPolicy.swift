/// The numbers of a `Backoff`, in milliseconds.
///
/// | failures in a row | wait drawn from, with the defaults |
/// |---|---|
/// | 1 | 250 to 1,000 |
/// | 2 | 250 to 2,000 |
/// | 3 | 250 to 4,000 |
/// | 6 and more | 250 to 30,000 |
public struct BackoffPolicy: Hashable, Sendable {
    /// The shortest wait; keeps chance from drawing zero. Default 250, at least 1.
    public var floor: Milliseconds
    /// The longest wait after the first failure; a server's `retry:` sets it. Default 1,000.
    public var base: Milliseconds
    /// The longest wait ever, but for a longer `base`. Default 30,000, the patience of a user.
    public var cap: Milliseconds
    /// How much of a server's wish is honoured. Default 3,600,000: more is a mistake of units.
    public var serverLimit: Milliseconds
    /// How long a connection must have been open to count as proven. Default 60,000.
    ///
    /// A server that accepts and drops would otherwise keep every client at its first wait.
    /// `Int64.max` where no age proves anything: an event stream is proven by its progress alone.
    public var provenAfter: Milliseconds

    /// A policy; `floor` is at least 1 and at most `base`, `base` at most `cap`.
    public init(
        floor: Milliseconds = 250,
        base: Milliseconds = 1_000,
        cap: Milliseconds = 30_000,
        serverLimit: Milliseconds = 3_600_000,
        provenAfter: Milliseconds = 60_000
    ) {
        precondition(
            1 <= floor && floor <= base && base <= cap,
            "backoff \(floor), \(base), \(cap) ms: wants 1 <= floor <= base <= cap")
        precondition(serverLimit >= 0, "serverLimit \(serverLimit) ms: at least 0")
        precondition(provenAfter >= 0, "provenAfter \(provenAfter) ms: at least 0")
        self.floor = floor
        self.base = base
        self.cap = cap
        self.serverLimit = serverLimit
        self.provenAfter = provenAfter
    }
}
