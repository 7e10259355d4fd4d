/// How long to wait before the next attempt: exponential, with full jitter and a floor.
///
/// Every wait is drawn, also at the cap, so that the clients of a restarted server come back
/// spread out. Chance is passed in.
public struct Backoff: Hashable, Sendable {
    /// The numbers.
    public let policy: BackoffPolicy
    /// Failures since the last proven connection.
    public private(set) var failures = 0
    private var base: Milliseconds

    /// A backoff before its first failure.
    public init(policy: BackoffPolicy = BackoffPolicy()) {
        self.policy = policy
        base = policy.base
    }

    /// The longest wait that the next failure can cause, in milliseconds.
    public var ceiling: Milliseconds {
        // 2^62 already passes every cap in the product below; more would overflow the shift.
        let doublings = Milliseconds(1) << min(failures, 62)
        let (product, overflow) = base.multipliedReportingOverflow(by: doublings)
        let grown = overflow ? policy.cap : min(product, policy.cap)
        return max(grown, base, policy.floor)
    }

    /// An attempt or connection failed: the wait before the next, in milliseconds.
    public mutating func failed(using generator: inout some RandomNumberGenerator) -> Milliseconds {
        let wait = Milliseconds.random(in: policy.floor...ceiling, using: &generator)
        failures = min(failures + 1, Int(Int32.max))
        return wait
    }

    /// A connection proved itself: the next failure counts as the first.
    public mutating func proven() {
        failures = 0
    }

    /// The server named its reconnection time in milliseconds; less than the floor counts as it.
    ///
    /// Waits start from it; from 0 they would never grow. A longer one than the cap is honoured,
    /// up to the policy's `serverLimit`. Source: HTML, 9.2.6 `retry`.
    public mutating func setBase(_ reconnectionTime: Milliseconds) {
        base = max(min(reconnectionTime, policy.serverLimit), policy.floor)
    }
}
