import Testing

@testable import BelayCore

private let g1 = DrivenConnection.g1
private let g2 = DrivenConnection.g2

@Suite struct `A timer` {
    @Test(arguments: [
        DrivenConnection.connecting(), .open(), .pinging(), .closing(), .waiting(),
    ])
    func `changes nothing before its time`(_ connection: DrivenConnection) throws {
        var connection = connection
        let status = connection.machine.status
        let deadline = try #require(connection.machine.nextDeadline)
        #expect(
            connection.handle(.deadlineReached(g1), at: deadline - 1)
                == ConnectionReaction(.unexpected))
        #expect(connection.machine.status == status)
        #expect(connection.machine.nextDeadline == deadline)
        #expect(connection.handle(.deadlineReached(g1), at: deadline).verdict == .accepted)
    }

    // W14
    @Test func `closes once, however often it fires`() {
        var connection = DrivenConnection.pinging()
        let end = CloseFacts(generation: g1, cause: .heartbeatTimedOut, age: 35_000)
        #expect(connection.handle(.deadlineReached(g1), at: 35_000).ended == end)
        #expect(connection.handle(.deadlineReached(g1), at: 35_000).ended == nil)
        #expect(connection.machine.status == .waiting(until: 36_000))
    }

    // W2
    @Test func `of an old connection does not touch the new one`() {
        var connection = DrivenConnection.waiting()
        connection.handle(.connect, at: 1_500)
        #expect(connection.handle(.deadlineReached(g1), at: 99_000) == ConnectionReaction(.stale))
        #expect(connection.machine.status == .connecting(g2))
    }

    // W6
    @Test func `gives up what does not open`() {
        var connection = DrivenConnection.connecting()
        let end = CloseFacts(generation: g1, cause: .openTimedOut)
        #expect(
            connection.handle(.deadlineReached(g1), at: 10_000)
                == ConnectionReaction(.accepted, ended: end))
    }

    @Test func `begins the attempt that a wait was for`() {
        var connection = DrivenConnection.waiting()
        #expect(
            connection.handle(.deadlineReached(g1), at: 2_000)
                == ConnectionReaction(.accepted, open: g2))
    }

    // W5
    @Test func `pings once in an interval`() {
        var connection = DrivenConnection.open()
        let ping = ConnectionPing(generation: g1, number: 1)
        #expect(
            connection.handle(.deadlineReached(g1), at: 25_000)
                == ConnectionReaction(.accepted, ping: ping))
        #expect(connection.handle(.deadlineReached(g1), at: 30_000).ping == nil)
    }
}

@Suite struct `A silence that was slept past` {
    private var quiet: DrivenConnection {
        let heartbeat = Heartbeat(
            Heartbeat.Policy(interval: .max, timeout: 1_000, overdueAfter: 1_000))
        var connection = DrivenConnection(
            ConnectionPolicy(silence: .after(60_000)), heartbeat: heartbeat)
        connection.handle(.connect, at: 0)
        connection.handle(.opened(g1), at: 0)
        return connection
    }

    @Test func `ends a connection where it is noticed soon enough`() {
        var connection = quiet
        #expect(connection.handle(.deadlineReached(g1), at: 61_000).ended?.cause == .idleTimedOut)
    }

    @Test func `is put off once, until what came meanwhile is read`() {
        var connection = quiet
        #expect(
            connection.handle(.deadlineReached(g1), at: 90_000) == ConnectionReaction(.accepted))
        #expect(connection.machine.nextDeadline == 93_000)
        connection.handle(.received(g1), at: 90_001)
        #expect(connection.machine.nextDeadline == 150_001)
        connection.handle(.deadlineReached(g1), at: 190_000)
        #expect(connection.handle(.deadlineReached(g1), at: 290_000).ended?.cause == .idleTimedOut)
    }
}

@Suite struct `A connection at the ends of its numbers` {
    // W3
    @Test func `outlives a clock that steps back`() {
        var connection = DrivenConnection.open()
        connection.handle(.received(g1), at: 20_000)
        #expect(connection.handle(.deadlineReached(g1), at: -9_000).verdict == .unexpected)
        #expect(connection.machine.nextDeadline == 25_000)
        #expect(connection.handle(.deadlineReached(g1), at: 24_999).verdict == .unexpected)
        #expect(connection.handle(.deadlineReached(g1), at: 25_000).ping?.number == 1)
        #expect(connection.handle(.pong(g1, ping: 1), at: 0).verdict == .accepted)
        #expect(connection.machine.nextDeadline == 50_000)
    }

    @Test(arguments: [Milliseconds.min, -1, .max - 1, .max])
    func `is neither trapped nor closed by the extremes of the clock`(_ now: Milliseconds) {
        let policy = ConnectionPolicy(
            openTimeout: .max, closeTimeout: .max, silence: .unlimited, probeTimeout: .max,
            hintedWait: .max, hintSpacing: .max)
        var connection = DrivenConnection(
            policy, heartbeat: Heartbeat(interval: .max, timeout: .max))
        connection.handle(.connect, at: now)
        #expect(connection.machine.nextDeadline == nil)
        #expect(connection.handle(.deadlineReached(g1), at: .max).ended == nil)
        connection.handle(.opened(g1), at: .max)
        connection.handle(.background, at: now)
        connection.handle(.foreground, at: .max)
        connection.handle(.pathHint(.unavailable), at: .max)
        #expect(connection.handle(.deadlineReached(g1), at: .max).ended == nil)
        #expect(connection.machine.status == .open(g1))
    }
}
