import Testing

@testable import BelayCore

/// A connection machine driven by hand: pings each 25,000 ms, wants an answer within 10,000.
///
/// Each wait is the longest that its draw allows, so that tests can name it.
struct DrivenConnection: Hashable, CustomTestStringConvertible {
    var machine: ConnectionMachine
    var chance = ExtremeChance.greatest

    init(
        _ policy: ConnectionPolicy = ConnectionPolicy(),
        heartbeat: Heartbeat = Heartbeat(interval: 25_000, timeout: 10_000)
    ) {
        machine = ConnectionMachine(heartbeat: heartbeat, policy: policy)
    }

    @discardableResult
    mutating func handle(_ input: ConnectionInput, at now: Milliseconds) -> ConnectionReaction {
        machine.handle(input, now: now, using: &chance)
    }

    /// What a stale input may not change: all but the reading of the clock.
    var decisions: Decisions { Decisions(machine) }

    var testDescription: String { machine.status.name.description }

    struct Decisions: Hashable {
        let state: ConnectionMachine.State
        let heartbeat: Heartbeat
        let backoff: Backoff
        let isInBackground: Bool
        let lastHintedAttempt: Milliseconds?
        let lastDoubt: Milliseconds?
        let path: PathState
        let isPathContradicted: Bool
        let owesDoubt: Bool
        let credentialRefusals: Int
        let suspicion: LifetimeSuspicion
        let silence: Silence

        init(_ machine: ConnectionMachine) {
            state = machine.state
            heartbeat = machine.heartbeat
            backoff = machine.backoff
            isInBackground = machine.isInBackground
            lastHintedAttempt = machine.lastHintedAttempt
            lastDoubt = machine.lastDoubt
            path = machine.path
            isPathContradicted = machine.isPathContradicted
            owesDoubt = machine.owesDoubt
            credentialRefusals = machine.credentialRefusals
            suspicion = machine.suspicion
            silence = machine.silence
        }
    }
}

extension DrivenConnection {
    static let g1 = Generation(1)
    static let g2 = Generation(2)

    /// Generation 1 connecting since 0, to be given up at 10,000.
    static func connecting(_ policy: ConnectionPolicy = ConnectionPolicy()) -> Self {
        var connection = Self(policy)
        connection.handle(.connect, at: 0)
        return connection
    }

    /// Generation 1 open since 0; its first ping is due at 25,000.
    static func open(_ policy: ConnectionPolicy = ConnectionPolicy()) -> Self {
        var connection = connecting(policy)
        connection.handle(.opened(g1), at: 0)
        return connection
    }

    /// Generation 1 with ping 1 ordered at 25,000, dead at 35,000.
    static func pinging(_ policy: ConnectionPolicy = ConnectionPolicy()) -> Self {
        var connection = open(policy)
        connection.handle(.deadlineReached(g1), at: 25_000)
        return connection
    }

    /// Generation 1 open since 0, closing since 1,000, aborted at 6,000.
    static func closing() -> Self {
        var connection = open()
        connection.handle(.stop, at: 1_000)
        return connection
    }

    /// Generation 1 reset at 1,000; the next attempt comes at 2,000.
    static func waiting(_ policy: ConnectionPolicy = ConnectionPolicy()) -> Self {
        var connection = open(policy)
        connection.handle(.ended(g1, .reset), at: 1_000)
        return connection
    }

    /// Generation 1 was the second failure in a row, at 1,000, and no path is there: the next
    /// attempt comes at 31,000, and no hint moves it further.
    static func waitingWithoutPath(_ policy: ConnectionPolicy = ConnectionPolicy()) -> Self {
        var connection = open(policy)
        _ = connection.machine.backoff.failed(using: &connection.chance)
        connection.handle(.pathHint(.unavailable), at: 500)
        connection.handle(.ended(g1, .reset), at: 1_000)
        return connection
    }

    /// Generation 1 open since 0, asked at 1,000 because of the path, and to be asked at 6,000.
    static func doubted(_ policy: ConnectionPolicy = ConnectionPolicy()) -> Self {
        var connection = open(policy)
        connection.handle(.pathHint(.unavailable), at: 1_000)
        connection.handle(.pong(g1, ping: 1), at: 1_100)
        connection.handle(.pathHint(.available), at: 2_000)
        return connection
    }

    /// Generation 1 was told at 1,000 that its cursor is too old.
    static func awaitingSnapshot() -> Self {
        let policy = ReconnectPolicy(takesSnapshots: true)
        var connection = open(ConnectionPolicy(reconnect: policy))
        connection.handle(.ended(g1, .cursorTooOld), at: 1_000)
        return connection
    }

    /// Generation 1 reset at 1,000, in the background.
    static func suspended() -> Self {
        var connection = waiting()
        connection.handle(.background, at: 1_500)
        return connection
    }

    /// Generation 1 stopped by the peer's 1008 at 1,000.
    static func stopped() -> Self {
        var connection = open()
        connection.handle(.ended(g1, .peerClosed(code: 1_008)), at: 1_000)
        return connection
    }
}
