/// Decides when to ping and when a connection is dead. Reads no clock and sends nothing.
///
/// After opening, one interval passes before the first ping; no second ping is sent while one is
/// outstanding; at the deadline the connection is closed, once. A pong *at* the deadline is late,
/// so that it does not matter which of timer and answer is processed first. The close comes from
/// the next `tick`: keep driving until then.
///
/// It numbers the generations of the one connection it watches. Backoff, resume and replay are
/// other machines.
public struct Heartbeat: Hashable, Sendable {
    /// What the shell must do next. Check the number again before doing it.
    public enum Action: Hashable, Sendable {
        /// Send one ping on the transport of this generation.
        case ping(Generation)
        /// Close the transport of this generation: its ping was not answered.
        case close(Generation)
    }

    /// What the heartbeat knows of the connection.
    public enum Phase: Hashable, Sendable {
        /// There is none, or it was closed.
        case idle
        /// A transport was created and has not opened.
        case connecting
        /// It opened.
        case open
    }

    private enum State: Hashable, Sendable {
        /// No connection. Leaves by `connect`.
        case idle
        /// A transport was created. Leaves by `opened`.
        case connecting
        /// Nothing is outstanding; a ping is due at `nextPing`.
        case resting(nextPing: Milliseconds)
        /// A ping is outstanding; the connection is dead at `deadline`.
        case awaitingPong(deadline: Milliseconds, Ping)
        /// Nobody can judge now; a ping may be outstanding. Leaves by `release` or `probe`.
        case held(Ping?)
    }

    /// Where the outstanding ping is.
    private enum Ping: Hashable, Sendable {
        /// Ordered. From its hand-over its answer may take `limit`.
        case queued(limit: Milliseconds, since: Milliseconds)
        /// On its way. Its deadline counts from here, and is not moved a second time.
        case handedOver(at: Milliseconds)

        func within(_ limit: Milliseconds) -> Ping {
            switch self {
            case .queued(let own, let since): .queued(limit: min(own, limit), since: since)
            case .handedOver: self
            }
        }
    }

    /// What was forgiven since the last answer.
    private struct Forgiven: Hashable, Sendable {
        var missed = 0
        var wasOverdue = false
    }

    /// The generation of the newest transport; `.zero` before the first.
    public private(set) var generation = Generation.zero
    /// The number of the newest ping of this generation, from 1; 0 before the first.
    ///
    /// Tells apart the completions of several pings of one connection, where a transport calls
    /// back twice or never.
    public private(set) var pingNumber: UInt32 = 0
    /// The numbers.
    public let policy: Policy

    private var state = State.idle
    private var forgiven = Forgiven()
    /// By how much the next ping comes earlier than one interval.
    private var advance: Milliseconds = 0
    private var line = MonotonicLine()

    /// A heartbeat in milliseconds, both at least 1. `Int64.max` as interval never pings.
    public init(interval: Milliseconds, timeout: Milliseconds) {
        self.init(Policy(interval: interval, timeout: timeout))
    }

    /// A heartbeat by a policy of your own.
    public init(_ policy: Policy) {
        self.policy = policy
    }

    /// From opening to the first ping, and from a pong to the next ping. At least 1 ms.
    public var interval: Milliseconds { policy.interval }

    /// From a ping to the moment the connection is dead. At least 1 ms.
    public var timeout: Milliseconds { policy.timeout }

    /// What is known of the connection.
    public var phase: Phase {
        switch state {
        case .idle: .idle
        case .connecting: .connecting
        case .resting, .awaitingPong, .held: .open
        }
    }

    /// When `tick` has something to say next; `nil` when only another input can change that.
    public var nextDeadline: Milliseconds? {
        switch state {
        case .resting(let moment), .awaitingPong(let moment, _):
            moment == .never ? nil : moment
        case .idle, .connecting, .held:
            nil
        }
    }

    /// A transport is created: a number greater than all before, to be captured by its callbacks.
    public mutating func connect() -> Generation {
        generation = generation.next
        pingNumber = 0
        forgiven = Forgiven()
        advance = 0
        state = .connecting
        return generation
    }

    /// The transport of `id` opened. The first ping is due one interval later.
    @discardableResult
    public mutating func opened(_ id: Generation, now: Milliseconds) -> InputVerdict {
        guard id == generation else { return .stale }
        switch state {
        case .connecting:
            state = .resting(nextPing: line.read(now).moved(by: interval))
            return .accepted
        case .resting, .awaitingPong, .held:
            return .duplicate  // A repeated open must not postpone the ping (W12).
        case .idle:
            return .alreadyEnded
        }
    }

    /// The outstanding ping was answered.
    @discardableResult
    public mutating func pong(_ id: Generation, now: Milliseconds) -> InputVerdict {
        pong(id, ping: pingNumber, now: now)
    }

    /// Ping number `ping` was answered. An older ping's answer proves nothing of the newest.
    @discardableResult
    public mutating func pong(
        _ id: Generation, ping: UInt32, now: Milliseconds
    ) -> InputVerdict {
        guard id == generation else { return .stale }
        switch state {
        case .awaitingPong(let deadline, _):
            guard ping == pingNumber else { return .duplicate }
            let now = line.read(now)
            guard !deadline.isReached(at: now) else { return .late }
            forgiven = Forgiven()
            advance = 0
            state = .resting(nextPing: now.moved(by: interval))
            return .accepted
        case .held(.some):
            guard ping == pingNumber else { return .duplicate }
            forgiven = Forgiven()
            advance = 0
            state = .held(nil)
            return .accepted
        case .resting, .held(nil):
            // Answered before, or nothing was ever asked (RFC 6455 §5.5.3).
            return ping == pingNumber && ping > 0 ? .duplicate : .unexpected
        case .connecting:
            return .unexpected
        case .idle:
            return .alreadyEnded
        }
    }

    /// Ping number `ping` left for the socket only now: its deadline counts from here, once.
    ///
    /// For drivers whose ping waited behind a large write. A deadline that has passed stays passed.
    /// A probe's answer may take no longer than the probe allowed.
    @discardableResult
    public mutating func pingHandedOver(
        _ id: Generation, ping: UInt32, now: Milliseconds
    ) -> InputVerdict {
        guard id == generation else { return .stale }
        switch state {
        case .awaitingPong(let deadline, .queued(let limit, _)):
            guard ping == pingNumber else { return .duplicate }
            let now = line.read(now)
            guard !deadline.isReached(at: now) else { return .late }
            state = .awaitingPong(deadline: now.moved(by: limit), .handedOver(at: now))
            return .accepted
        case .held(.queued):
            guard ping == pingNumber else { return .duplicate }
            state = .held(.handedOver(at: line.read(now)))
            return .accepted
        case .awaitingPong(_, .handedOver), .held(.handedOver):
            return .duplicate  // Repeated, it would keep a dead connection alive.
        case .resting, .held(nil):
            return .unexpected  // Answered already.
        case .connecting:
            return .unexpected
        case .idle:
            return .alreadyEnded
        }
    }

    /// How long the outstanding ping has been on its way; `nil` where none is, or nobody
    /// can judge.
    ///
    /// From its hand-over, or from its order where the transport reported none.
    public func pingAge(now: Milliseconds) -> Milliseconds? {
        switch state {
        case .awaitingPong(_, .queued(_, let since)): now.elapsed(since: since)
        case .awaitingPong(_, .handedOver(let moment)): now.elapsed(since: moment)
        case .idle, .connecting, .resting, .held: nil  // Its answer may lie unread.
        }
    }

    /// The next ping comes earlier than one interval by `length`, which chance has drawn.
    mutating func advanceNextPing(by length: Milliseconds) {
        advance = min(length, interval - 1)
        guard case .resting(let nextPing) = state, nextPing != .never else { return }
        state = .resting(nextPing: nextPing - advance)
    }

    /// Bytes of the peer came. No pong: an outstanding ping keeps its deadline (W18).
    mutating func received(now: Milliseconds) {
        guard policy.inbound == .postponesPing, case .resting(let nextPing) = state else { return }
        let postponed = line.read(now).moved(by: interval - advance)
        state = .resting(nextPing: max(nextPing, postponed))
    }

    /// A part of a frame came, and nothing else can come before the rest of it: a pong that stands
    /// behind it is not late yet, and a timeout counts from here.
    ///
    /// No longer than `queuedTimeout` from the ping's hand-over: who drips does not live for ever.
    /// A deadline that has passed stays passed.
    mutating func partlyReceived(now: Milliseconds) {
        let now = line.read(now)
        guard let longest = policy.queuedTimeout,
            case .awaitingPong(let deadline, let ping) = state,
            case .handedOver(let moment) = ping, !deadline.isReached(at: now)
        else { return }
        let extended = min(now.moved(by: timeout), moment.moved(by: longest))
        state = .awaitingPong(deadline: max(deadline, extended), ping)
    }

    /// Time has come to `now`. Early, late and repeated calls are harmless.
    public mutating func tick(now: Milliseconds) -> Action? {
        let now = line.read(now)
        switch state {
        case .resting(let nextPing):
            return nextPing.isReached(at: now) ? ping(now: now, within: timeout) : nil
        case .awaitingPong(let deadline, _):
            guard deadline.isReached(at: now) else { return nil }
            if let ping = forgive(overdueBy: now.elapsed(since: deadline), now: now) {
                return ping
            }
            state = .idle
            return .close(generation)
        case .idle, .connecting, .held:
            return nil
        }
    }

    /// The transport of `id` ended for another reason: no ping and no close follows.
    @discardableResult
    public mutating func ended(_ id: Generation) -> InputVerdict {
        guard id == generation else { return .stale }
        guard state != .idle else { return .alreadyEnded }
        state = .idle
        return .accepted
    }

    /// From now on nobody can judge: the app is in the background, or does not read its socket.
    ///
    /// Neither pings nor closes until `release` or `probe`.
    public mutating func hold() {
        switch state {
        case .resting: state = .held(nil)
        case .awaitingPong(_, let ping): state = .held(ping)
        case .idle, .connecting, .held: return
        }
    }

    /// Judging is possible again: a full interval or timeout counts from `now`.
    public mutating func release(now: Milliseconds) {
        let now = line.read(now)
        switch state {
        case .held(let ping?):
            let deadline = now.moved(by: patience(with: ping, within: timeout))
            state = .awaitingPong(deadline: deadline, ping)
        case .held(nil):
            state = .resting(nextPing: now.moved(by: interval - advance))
        case .idle, .connecting, .resting, .awaitingPong: return
        }
    }

    /// Asks now whether the connection lives, and wants the answer within `limit`, or within the
    /// timeout where that is shorter: a doubt does not give a connection longer to answer.
    ///
    /// Where a ping is outstanding no second one is sent; its deadline becomes the nearer one,
    /// or, if nobody could judge so far, `limit` from now.
    public mutating func probe(now: Milliseconds, within limit: Milliseconds) -> Action? {
        precondition(limit > 0, "probe limit \(limit) ms: at least 1")
        let now = line.read(now)
        let limit = min(limit, timeout)
        switch state {
        case .resting, .held(nil):
            return ping(now: now, within: limit)
        case .held(let ping?):
            let nearest = now.moved(by: patience(with: ping, within: limit))
            state = .awaitingPong(deadline: nearest, ping.within(limit))
            return nil
        case .awaitingPong(let deadline, let ping):
            let nearest = now.moved(by: patience(with: ping, within: limit))
            state = .awaitingPong(deadline: min(deadline, nearest), ping.within(limit))
            return nil
        case .idle, .connecting:
            return nil
        }
    }

    private mutating func ping(now: Milliseconds, within limit: Milliseconds) -> Action {
        pingNumber &+= 1
        let ping = Ping.queued(limit: limit, since: now)
        let deadline = now.moved(by: patience(with: ping, within: limit))
        state = .awaitingPong(deadline: deadline, ping)
        return .ping(generation)
    }

    /// How long to wait: one that stands behind a large write is not late yet.
    private func patience(with ping: Ping, within limit: Milliseconds) -> Milliseconds {
        switch ping {
        case .queued: max(limit, policy.queuedTimeout ?? limit)
        case .handedOver: limit
        }
    }

    /// Another ping in place of the one that was not answered, where the policy allows it.
    ///
    /// The answer to the old one may lie unread in the socket, or have come too late while the
    /// program slept; the new one's answer decides, and is read after whatever came before.
    private mutating func forgive(overdueBy lateness: Milliseconds, now: Milliseconds) -> Action? {
        if lateness > policy.overdueAfter, !forgiven.wasOverdue {
            forgiven.wasOverdue = true
            return ping(now: now, within: min(policy.overdueTimeout, timeout))
        }
        guard forgiven.missed < policy.missedPongs else { return nil }
        forgiven.missed += 1
        return ping(now: now, within: timeout)
    }
}
