public import BelayCore

/// When to ask whether a WebSocket lives, and how long to wait for the answer.
///
/// A dead peer is found after `interval` + `timeout` at most, times one `timeout` more for each
/// pong that may be missed; where bytes of ours do not leave any more, `queuedTimeout` stands in
/// place of one `timeout`. Lengths are counted in whole milliseconds, rounded up; one below its
/// range is raised to it.
public struct HeartbeatPolicy: Hashable, Sendable {
    /// From opening to the first ping, and from a pong to the next; `nil` never pings.
    ///
    /// Choose it well below the shortest idle limit on the way: balancers cut at 55 to 60 s.
    public var interval: Duration?
    /// From a ping's hand-over to the moment its answer is late. At least 1 ms.
    public var timeout: Duration
    /// How long a ping may wait behind a large write before it leaves, and then its answer behind
    /// a large frame of the peer's that is still coming. Default 60 s.
    ///
    /// Meanwhile the timeout does not count: 10 MB take 40 s at 2 Mbit/s, and a slow transfer is
    /// no dead peer. It bounds each wait, since a peer may be gone, or drip.
    public var queuedTimeout: Duration = .seconds(60)
    /// By how much of the interval, in percent, the first ping may come earlier. Default 0.
    ///
    /// A restarted server's clients connect at once; 100 spreads their first pings evenly.
    public var firstJitter = 0
    /// By how much of the interval, in percent, each later ping may come earlier. Default 0.
    ///
    /// Downwards only: the interval stays below the limits that it was chosen for.
    public var jitter = 0
    /// How many pings in a row may go unanswered; another one follows each. Default 0.
    public var missedPongs = 0
    /// A deadline noticed later than this was slept past, and is judged by a probe. Default 1 s.
    ///
    /// A suspended app finds its timers overdue and its answers unread. `nil` judges at once.
    public var overdueAfter: Duration? = .seconds(1)
    /// For the answer to that probe. Default 3 s, at least 1 ms.
    public var overdueTimeout: Duration = .seconds(3)
    /// What bytes of the peer mean for the next ping. Default nothing; they are never a pong.
    public var inbound = Heartbeat.Policy.Inbound.ignored

    /// A ping one `interval` after opening and after each pong; dead `timeout` after a ping left.
    public static func every(_ interval: Duration, timeout: Duration) -> HeartbeatPolicy {
        HeartbeatPolicy(interval: interval, timeout: timeout)
    }

    /// Every 20 to 25 s, the first within 25 s, dead after 10 s.
    ///
    /// Below the idle limits of common proxies and balancers, and spread over a fleet.
    public static let standard = {
        var policy = every(.seconds(25), timeout: .seconds(10))
        (policy.firstJitter, policy.jitter) = (100, 20)
        return policy
    }()

    /// No pings: a peer that vanished is noticed by TCP, after minutes, or never.
    public static let off = HeartbeatPolicy(interval: nil, timeout: .seconds(10))

    private init(interval: Duration?, timeout: Duration) {
        (self.interval, self.timeout) = (interval, timeout)
    }

    /// The same numbers as the machine counts them.
    var numbers: Heartbeat.Policy {
        Heartbeat.Policy(
            interval: interval.map(Self.length) ?? .max,
            timeout: Self.length(timeout),
            queuedTimeout: Self.length(queuedTimeout),
            firstJitter: min(max(0, firstJitter), 100),
            jitter: min(max(0, jitter), 100),
            missedPongs: max(0, missedPongs),
            overdueAfter: overdueAfter.map { max(0, Milliseconds(clamping: $0)) } ?? .max,
            overdueTimeout: Self.length(overdueTimeout),
            inbound: inbound)
    }

    private static func length(_ duration: Duration) -> Milliseconds {
        max(1, Milliseconds(clamping: duration))
    }
}
