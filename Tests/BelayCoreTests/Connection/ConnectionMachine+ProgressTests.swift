import Testing

@testable import BelayCore

private let g1 = DrivenConnection.g1
private let g2 = DrivenConnection.g2

@Suite struct `The progress of an event stream` {
    /// Time proves nothing: an event stream's policy.
    private let policy = ConnectionPolicy(
        reconnect: ReconnectPolicy(
            backoff: BackoffPolicy(provenAfter: .max), takesSnapshots: true))

    /// After so many connections that opened, brought no event and were cut.
    private func cut(_ times: UInt64, age: Milliseconds = 10) -> (DrivenConnection, Milliseconds) {
        var connection = DrivenConnection(policy, heartbeat: Heartbeat(interval: .max, timeout: 1))
        var now: Milliseconds = 0
        for number in 1...times {
            connection.handle(.connect, at: now)
            // `connect` in a wait is the user's retry: the wait itself is not what is tried here.
            connection.handle(.opened(Generation(number)), at: now)
            now += age
            connection.handle(.ended(Generation(number), .peerFinished), at: now)
        }
        return (connection, now)
    }

    // E10
    @Test(arguments: [10, 3_600_000] as [Milliseconds])
    func `is not made by opening, nor by time: waits grow`(_ age: Milliseconds) {
        for (times, wait) in zip(1...6 as ClosedRange<UInt64>, [1, 2, 4, 8, 16, 30]) {
            let (connection, now) = cut(times, age: age)
            #expect(connection.machine.nextDeadline == now + Milliseconds(wait) * 1_000)
        }
    }

    @Test func `makes the next wait a first one`() {
        var (connection, now) = cut(5)
        connection.handle(.connect, at: now)
        connection.handle(.opened(Generation(6)), at: now)
        connection.handle(.progressed(Generation(6)), at: now)
        connection.handle(.ended(Generation(6), .reset), at: now)
        #expect(connection.machine.failures == 1)
        #expect(connection.machine.nextDeadline == now + 1_000)
    }

    // E14: a handler may take longer than the connection lasts.
    @Test func `counts where the handler returned after the end, and shortens the wait`() {
        var (connection, now) = cut(5)
        connection.handle(.progressed(Generation(5)), at: now + 20)
        #expect(connection.machine.failures == 1)
        #expect(connection.machine.nextDeadline == now + 1_020)
        // Once: more events of the same connection draw no more.
        connection.handle(.progressed(Generation(5)), at: now + 10)
        #expect(connection.machine.nextDeadline == now + 1_020)
    }

    @Test func `lengthens no wait that is nearly over`() {
        var (connection, now) = cut(5)
        connection.handle(.progressed(Generation(5)), at: now + 15_900)
        #expect(connection.machine.nextDeadline == now + 16_000)
    }

    @Test func `after the end is not heard of the connection before`() {
        var (connection, now) = cut(5)
        let reaction = connection.handle(.progressed(Generation(4)), at: now)
        #expect(reaction == ConnectionReaction(.stale))
        #expect(connection.machine.failures == 5)
    }

    @Test func `after the end comes back no sooner than the server asks`() {
        var (connection, now) = cut(5)
        connection.handle(.connect, at: now)
        let refused = CloseCause.handshakeRefused(status: 503)
        connection.handle(.ended(Generation(6), refused, retryAfter: 60_000), at: now)
        connection.handle(.progressed(Generation(6)), at: now)
        #expect(connection.machine.nextDeadline == now + 61_000)
    }

    @Test func `in the background counts for the next end`() {
        var (connection, now) = cut(5)
        connection.handle(.background, at: now)
        connection.handle(.progressed(Generation(5)), at: now)
        #expect(connection.machine.failures == 1)
        #expect(connection.machine.status == .suspended)
    }
}

@Suite struct `A wait that a server asked for` {
    private let busy = CloseCause.handshakeRefused(status: 503)

    // E10
    @Test func `is one: the wait after it is an ordinary one`() {
        var connection = DrivenConnection.connecting()
        connection.handle(.ended(g1, busy, retryAfter: 120_000), at: 0)
        #expect(connection.machine.nextDeadline == 121_000)
        connection.handle(.deadlineReached(g1), at: 121_000)
        connection.handle(.opened(g2), at: 121_000)
        connection.handle(.ended(g2, .reset), at: 121_100)
        #expect(connection.machine.nextDeadline == 123_100)
    }

    @Test(
        arguments: [.handshakeRefused(status: 429), .handshakeRefused(status: 503)]
            as [CloseCause], ExtremeChance.allCases)
    func `stands in place of what we would guess`(_ cause: CloseCause, _ chance: ExtremeChance) {
        var connection = DrivenConnection.connecting()
        connection.chance = chance
        connection.handle(.ended(g1, cause, retryAfter: 2_000), at: 0)
        let usual: Milliseconds = chance == .least ? 250 : 1_000
        #expect(connection.machine.nextDeadline == 2_000 + usual)
    }

    // E11
    @Test func `by the field retry is kept over connections, and waits grow from it`() {
        var connection = DrivenConnection.open()
        connection.handle(.reconnectionTime(g1, 3_000), at: 0)
        connection.handle(.ended(g1, .reset), at: 0)
        #expect(connection.machine.nextDeadline == 3_000)
        connection.handle(.deadlineReached(g1), at: 3_000)
        connection.handle(.opened(g2), at: 3_000)
        connection.handle(.ended(g2, .reset), at: 3_000)
        #expect(connection.machine.nextDeadline == 9_000)
        connection.handle(.connect, at: 4_000)
        connection.handle(.opened(Generation(3)), at: 4_000)
        connection.handle(.progressed(Generation(3)), at: 4_000)
        connection.handle(.ended(Generation(3), .reset), at: 4_000)
        #expect(connection.machine.nextDeadline == 7_000)
    }
}
