import BelayCore

/// The numbers of one connection, as lengths of time.
///
/// Lengths are counted in whole milliseconds, rounded up; one below its range is raised to it.
public struct ConnectionConfiguration: Hashable, Sendable {
    /// From the attempt to the opened connection, names and handshake included. Default 10 s.
    public var openTimeout: Duration = .seconds(10)
    /// For the whole closing handshake; traffic does not extend it. Default 5 s.
    public var closeTimeout: Duration = .seconds(5)
    /// How long an open connection may be silent.
    ///
    /// Default for ever: a WebSocket's heartbeat is the better proof, and of an event stream only
    /// you know how often its server comments. State it, or let it be learnt.
    public var idleTimeout = IdleTimeout.none
    /// For the answer after a return to the foreground or a change of the path. Default 3 s.
    ///
    /// An event stream cannot be asked: one that says nothing for so long after a return is
    /// replaced, and goes on at its cursor.
    public var probeTimeout: Duration = .seconds(3)
    /// How long an event stream may be silent once the path changed, before it is replaced.
    ///
    /// Default 20 s: servers are advised to say something each 15 s (HTML, 9.2.7). A quiet stream
    /// costs a request for it, and loses nothing. WebSockets are asked instead.
    public var silenceAfterChange: Duration = .seconds(20)
    /// The shortest wait between attempts. Default 0.25 s.
    public var shortestWait: Duration = .milliseconds(250)
    /// The longest wait after a first failure; a server's `retry:` replaces it. Default 1 s.
    public var firstWait: Duration = .seconds(1)
    /// The longest wait after many failures. Default 30 s.
    public var longestWait: Duration = .seconds(30)
    /// How long a WebSocket must be open so that its end counts as a first failure. Default 60 s.
    ///
    /// An event stream is proven by a committed event, and by nothing else: not by opening, nor by
    /// time, nor by events that are skipped as replays.
    public var provenAfter: Duration = .seconds(60)
    /// Failed attempts in a row after which to stop; `nil`, the default, for never.
    public var attemptLimit: Int?
    /// Where the wait after a server's restart (1012) is drawn from. Default 5 to 30 s.
    public var restartWait: ClosedRange<Duration> = .seconds(5) ... .seconds(30)
    /// The least age at which ends in a row are taken for a lifetime limit on the way.
    ///
    /// Three ends by the peer at the same age, within 5 %, are told once, in `CloseFacts`; later
    /// connections are replaced a tenth before that age, at once and without counting as a failure.
    /// Of event streams only those are in which an event was committed: a server that only cuts
    /// sees ever longer waits. A `send` that is under way then fails with `replaced`. Default 10 s:
    /// ends before are a flapping server's. `nil` suspects nothing.
    public var lifetimeFloor: Duration? = .seconds(10)
    /// What your own close codes mean, or standard ones to your service. Default none: 1002, 1003
    /// and 1007 to 1010 stop, 1012 and 1013 wait longer, all others are come back from.
    public var closeCodes: [UInt16: ReconnectAdvice] = [:]
    /// What refusing HTTP statuses mean to your service. Default none: 401 and 403 ask for
    /// credentials, 429 waits longer, 408, 425 and 5xx are come back from, all others stop.
    public var statuses: [UInt16: ReconnectAdvice] = [:]
    /// Bytes of messages that may be on their way to the system; a `send` beyond waits for room.
    ///
    /// Default 16 MiB. A message that leaves alone may be longer; each counts 14 bytes of header.
    public var unsentBytes = 16 << 20
    /// Calls of `send` that may wait for room; one more fails as `congested`.
    ///
    /// Default 1,024: each is a task of the app's with its message. 0 and below let none wait.
    public var waitingSends = 1_024
    /// What may wait for the app before the connection is no longer read.
    public var delivery = DeliveryLimit()

    /// The defaults; change what you must.
    public init() {}

    /// The same numbers as the machine counts them.
    var policy: ConnectionPolicy {
        let floor = max(1, Milliseconds(clamping: shortestWait))
        let base = max(floor, Milliseconds(clamping: firstWait))
        let backoff = BackoffPolicy(
            floor: floor,
            base: base,
            cap: max(base, Milliseconds(clamping: longestWait)),
            provenAfter: max(0, Milliseconds(clamping: provenAfter)))
        return ConnectionPolicy(
            openTimeout: max(1, Milliseconds(clamping: openTimeout)),
            closeTimeout: max(1, Milliseconds(clamping: closeTimeout)),
            silence: idleTimeout.policy,
            probeTimeout: max(1, Milliseconds(clamping: probeTimeout)),
            reconnect: ReconnectPolicy(
                backoff: backoff, attemptLimit: attemptLimit.map { max(1, $0) },
                restartWait: restartWaitInRange,
                lifetimeFloor: lifetimeFloor.map { max(1, Milliseconds(clamping: $0)) } ?? .max,
                closeCodes: closeCodes, statuses: statuses))
    }

    /// The same, where a hook may have other credentials after a refusal.
    func policy(asking: Bool) -> ConnectionPolicy {
        var policy = policy
        policy.reconnect.credentialAttempts = asking ? 1 : 0
        return policy
    }

    /// The same for an event stream.
    func policy(ofStreamAsking asking: Bool, snapshot: SnapshotHook?) -> ConnectionPolicy {
        var policy = policy(asking: asking)
        policy.reconnect.backoff.provenAfter = .max
        policy.reconnect.takesSnapshots = snapshot != nil
        policy.silenceAfterChange = max(1, Milliseconds(clamping: silenceAfterChange))
        policy.reconnect.statuses.merge(snapshot?.statuses ?? [:]) { $1 }
        return policy
    }

    private var restartWaitInRange: ClosedRange<Milliseconds> {
        let least = max(0, Milliseconds(clamping: restartWait.lowerBound))
        return least...max(least, Milliseconds(clamping: restartWait.upperBound))
    }
}

extension Milliseconds {
    /// A length in whole milliseconds, rounded up; one that does not fit becomes the nearest.
    init(clamping duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        guard !overflow else {
            self = seconds < 0 ? .min : .max
            return
        }
        let perMillisecond: Int64 = 1_000_000_000_000_000
        let part = attoseconds / perMillisecond + (attoseconds % perMillisecond > 0 ? 1 : 0)
        let (sum, overflowed) = whole.addingReportingOverflow(part)
        self = overflowed ? (whole < 0 ? .min : .max) : sum
    }
}
