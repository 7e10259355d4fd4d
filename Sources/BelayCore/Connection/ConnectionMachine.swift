/// Decides the life of one connection, WebSocket or event stream: when to open, to doubt, to give
/// up and to come back. Reads no clock, draws no chance of its own, sends nothing.
///
/// Drive it in a loop: `handle` each input, do what the reaction says in one stretch, arm one
/// timer at `nextDeadline` with `generation`.
///
/// ```
/// idle ──connect──▶ connecting ──opened──▶ open ──stop──▶ closing
///   ▲                │   ▲                  │                │
///   │              ended │               ended             ended
///   │                ▼   │                  ▼                ▼
///   │   suspended ◀──┤   └─deadline── waiting ──stop──▶  stopped
///   └ (background)   └──────────────▶                (connect begins a new life)
/// ```
public struct ConnectionMachine: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// Never asked to connect.
        case idle
        /// A transport was created; it is given up at `deadline`.
        case connecting(deadline: Milliseconds)
        /// It opened.
        case open(Open)
        /// We began the closing handshake; the transport is aborted at `deadline`.
        case closing(deadline: Milliseconds, since: Milliseconds)
        /// No transport; an attempt comes when the wait is over.
        case waiting(Wait)
        /// No transport: the server said that the cursor is too old. The application takes a
        /// snapshot; then the wait goes on that was drawn at the end.
        case awaitingSnapshot(Wait)
        /// No transport, and no attempt before the foreground. If that comes before the wait's
        /// earliest end, the wait goes on.
        case suspended(Wait)
        /// Ended for good.
        case stopped(CloseCause)
    }

    /// What is known of an open connection beside its heartbeat.
    struct Open: Hashable, Sendable {
        let since: Milliseconds
        /// When silence has lasted too long; it moves with every byte.
        var idleDeadline: Milliseconds
        /// The application lags, so silence and missing pongs prove nothing.
        var isReadingPaused = false
        /// The end of a silence came too late to be judged, and was put off once.
        var wasOverdue = false
        /// When it is asked whether it lives, since a hint could not be followed at once.
        var nextProbe = Milliseconds.never
        /// When it is replaced, ahead of a suspected lifetime limit.
        var rotation = Milliseconds.never
    }

    /// The numbers.
    public let policy: ConnectionPolicy

    var state = State.idle
    var heartbeat: Heartbeat
    var backoff: Backoff
    /// How often in a row credentials were refused and asked for anew.
    var credentialRefusals = 0
    /// How long it may be silent.
    var silence: Silence
    /// Whether its peers end connections at the same age.
    var suspicion = LifetimeSuspicion()
    /// Outlives generations: which attempts are allowed depends on it.
    var isInBackground = false
    /// When a hint last brought an attempt forward; such uses are spaced.
    var lastHintedAttempt: Milliseconds?
    /// When an open connection was last asked whether it lives; a hint asks no sooner than its
    /// spacing after that.
    var lastDoubt: Milliseconds?
    /// What the system last said of the path.
    var path = PathState.unknown
    /// Whether a server answered since the system said that there is no path.
    var isPathContradicted = false
    /// Whether the path may have changed since a connection could last be asked.
    var owesDoubt = false
    private var line = MonotonicLine()

    /// A machine that was never asked to connect.
    ///
    /// `heartbeat` lends its policy, and numbers the generations. An interval of `Int64.max` never
    /// pings.
    public init(heartbeat: Heartbeat, policy: ConnectionPolicy = ConnectionPolicy()) {
        self.heartbeat = heartbeat
        self.policy = policy
        backoff = Backoff(policy: policy.reconnect.backoff)
        silence = Silence(policy.silence)
    }

    /// The newest generation; `.zero` before the first attempt.
    public var generation: Generation { heartbeat.generation }

    /// What an application may see.
    public var status: ConnectionStatus {
        switch state {
        case .idle: .idle
        case .connecting: .connecting(generation)
        case .open: .open(generation)
        case .closing: .closing(generation)
        case .waiting(let wait): .waiting(until: wait.until)
        case .awaitingSnapshot: .awaitingSnapshot(generation)
        case .suspended: .suspended
        case .stopped(let cause): .stopped(cause)
        }
    }

    /// Failed attempts and connections since one proved itself.
    public var failures: Int { backoff.failures }

    /// When a timer has something to say next; `nil` when only another input can change that.
    public var nextDeadline: Milliseconds? {
        let deadline: Milliseconds =
            switch state {
            case .connecting(let deadline), .closing(let deadline, _): deadline
            case .waiting(let wait): wait.until
            case .open(let open):
                isJudging(open)
                    ? min(
                        heartbeat.nextDeadline ?? .never, open.idleDeadline, open.nextProbe,
                        open.rotation)
                    : .never
            case .idle, .awaitingSnapshot, .suspended, .stopped:
                .never
            }
        return deadline == .never ? nil : deadline
    }

    /// The one door: every input enters here, whoever says it.
    ///
    /// `now` is in milliseconds on the driver's monotonic line; where it steps back, time stands
    /// still. `generator` is asked only when a wait or a jitter is drawn.
    public mutating func handle(
        _ input: ConnectionInput,
        now: Milliseconds,
        using generator: inout some RandomNumberGenerator
    ) -> ConnectionReaction {
        let now = line.read(now)
        switch input {
        case .connect: return connect(now: now)
        case .replace: return replace(now: now)
        case .stop: return stop(now: now)
        case .background: return background()
        case .foreground: return foreground(now: now)
        case .prepared(let id): return prepared(id, now: now)
        case .progressed(let id): return progressed(id, now: now, using: &generator)
        case .snapshotEnded(let id): return snapshotEnded(id, now: now)
        case .opened(let id): return opened(id, now: now, using: &generator)
        case .received(let id): return received(id, now: now)
        case .partlyReceived(let id): return partlyReceived(id, now: now)
        case .sent(let id): return sent(id)
        case .pingHandedOver(let id, let ping): return pingHandedOver(id, ping: ping, now: now)
        case .pong(let id, let ping):
            return pong(id, ping: ping, now: now, using: &generator)
        case .unsolicitedPong(let id): return unsolicitedPong(id)
        case .reconnectionTime(let id, let time): return reconnectionTime(id, time)
        case .readingPaused(let id): return readingPaused(id)
        case .readingResumed(let id): return readingResumed(id, now: now)
        case .ended(let id, let cause, let retryAfter):
            return ended(id, cause, retryAfter: retryAfter, now: now, using: &generator)
        case .deadlineReached(let id): return deadlineReached(id, now: now, using: &generator)
        case .pathHint(let path): return pathHint(path, now: now, using: &generator)
        }
    }

    /// Whether silence and a missing pong prove anything now.
    func isJudging(_ open: Open) -> Bool {
        !isInBackground && !open.isReadingPaused
    }
}
