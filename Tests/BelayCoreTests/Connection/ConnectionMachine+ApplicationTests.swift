import Testing

@testable import BelayCore

private let g1 = DrivenConnection.g1
private let g2 = DrivenConnection.g2

@Suite struct `An application that wants a connection` {
    // W1
    @Test func `gets an attempt at once`() {
        var connection = DrivenConnection()
        #expect(connection.handle(.connect, at: 0) == ConnectionReaction(.accepted, open: g1))
        #expect(connection.machine.status == .connecting(g1))
        #expect(connection.machine.nextDeadline == 10_000)
    }

    @Test(arguments: [DrivenConnection.connecting(), .open()])
    func `gets no second attempt beside the first`(_ connection: DrivenConnection) {
        var connection = connection
        #expect(connection.handle(.connect, at: 10) == ConnectionReaction(.duplicate))
        #expect(connection.machine.generation == g1)
    }

    // P3
    @Test(arguments: [DrivenConnection.waiting(), .suspended()])
    func `is answered by a real attempt, not by a wait`(_ connection: DrivenConnection) {
        var connection = connection
        #expect(connection.handle(.connect, at: 1_600) == ConnectionReaction(.accepted, open: g2))
        #expect(connection.machine.failures == 1)  // Asking again proves nothing.
    }

    @Test func `begins a new life after it was stopped`() {
        var connection = DrivenConnection.stopped()
        #expect(connection.machine.failures == 1)
        #expect(connection.handle(.connect, at: 2_000) == ConnectionReaction(.accepted, open: g2))
        #expect(connection.machine.failures == 0)
    }

    // W24
    @Test func `ends a closing handshake by asking anew`() {
        var connection = DrivenConnection.closing()
        let end = CloseFacts(generation: g1, cause: .closedLocally, age: 2_000)
        #expect(
            connection.handle(.connect, at: 2_000)
                == ConnectionReaction(.accepted, ended: end, open: g2))
        #expect(
            connection.handle(.ended(g1, .peerClosed(code: 1_000)), at: 2_100).verdict == .stale)
    }
}

@Suite struct `An application that replaces its connection` {
    // W24
    @Test(arguments: [DrivenConnection.connecting(), .open(), .pinging()])
    func `ends the present one and opens the next`(_ connection: DrivenConnection) {
        var connection = connection
        let isOpen = connection.machine.status == .open(g1)
        let end = CloseFacts(generation: g1, cause: .replaced, age: isOpen ? 30_000 : nil)
        #expect(
            connection.handle(.replace, at: 30_000)
                == ConnectionReaction(.accepted, ended: end, open: g2))
        #expect(connection.machine.failures == 0)
    }

    @Test(arguments: [DrivenConnection.waiting(), .suspended(), .stopped()])
    func `just connects where there is none`(_ connection: DrivenConnection) {
        var connection = connection
        #expect(connection.handle(.replace, at: 1_600) == ConnectionReaction(.accepted, open: g2))
    }

    // W16
    @Test func `makes the number of an earlier close stale`() {
        var connection = DrivenConnection.open()
        let close = connection.handle(.stop, at: 100).close
        connection.handle(.replace, at: 101)
        #expect(close == g1)
        #expect(connection.machine.generation == g2)
    }
}

@Suite struct `An application that stops` {
    // W24
    @Test func `closes with a handshake that has its deadline`() {
        var connection = DrivenConnection.open()
        #expect(connection.handle(.stop, at: 1_000) == ConnectionReaction(.accepted, close: g1))
        #expect(connection.machine.status == .closing(g1))
        #expect(connection.machine.nextDeadline == 6_000)
        let end = CloseFacts(generation: g1, cause: .closedLocally, age: 6_000)
        #expect(
            connection.handle(.deadlineReached(g1), at: 6_000)
                == ConnectionReaction(.accepted, ended: end))
    }

    @Test func `does not wait longer for a peer that goes on sending`() {
        var connection = DrivenConnection.closing()
        #expect(connection.handle(.received(g1), at: 5_999).verdict == .unexpected)
        #expect(connection.machine.nextDeadline == 6_000)
    }

    // W24
    @Test func `is the cause, whatever ended the handshake`() {
        var connection = DrivenConnection.closing()
        let end = CloseFacts(generation: g1, cause: .closedLocally, age: 1_100)
        #expect(
            connection.handle(.ended(g1, .reset), at: 1_100)
                == ConnectionReaction(.accepted, ended: end))
        #expect(connection.machine.status == .stopped(.closedLocally))
    }

    @Test func `ends an attempt at once, and its late open changes nothing`() {
        var connection = DrivenConnection.connecting()
        let end = CloseFacts(generation: g1, cause: .closedLocally)
        #expect(connection.handle(.stop, at: 10) == ConnectionReaction(.accepted, ended: end))
        #expect(connection.handle(.opened(g1), at: 20) == ConnectionReaction(.alreadyEnded))
        #expect(connection.machine.status == .stopped(.closedLocally))
    }

    // E15
    @Test(arguments: [DrivenConnection(), .waiting(), .suspended()])
    func `leaves no timer and no attempt behind`(_ connection: DrivenConnection) {
        var connection = connection
        #expect(connection.handle(.stop, at: 1_600) == ConnectionReaction(.accepted))
        #expect(connection.machine.nextDeadline == nil)
        let id = connection.machine.generation
        #expect(connection.handle(.deadlineReached(id), at: 99_000).open == nil)
        #expect(connection.handle(.pathHint(.available), at: 99_000).open == nil)
        #expect(connection.handle(.background, at: 99_000).open == nil)
        #expect(connection.handle(.foreground, at: 99_001).open == nil)
        #expect(connection.machine.status == .stopped(.closedLocally))
    }

    @Test(arguments: [DrivenConnection.closing(), .stopped()])
    func `may say so twice`(_ connection: DrivenConnection) {
        var connection = connection
        let before = connection.machine.status
        #expect(connection.handle(.stop, at: 2_000) == ConnectionReaction(.duplicate))
        #expect(connection.machine.status == before)
    }
}

@Suite struct `An application in the background` {
    // W23
    @Test func `keeps its connection but neither pings nor judges it`() {
        var connection = DrivenConnection.pinging()
        #expect(connection.handle(.background, at: 26_000) == ConnectionReaction(.accepted))
        #expect(connection.machine.status == .open(g1))
        #expect(connection.machine.nextDeadline == nil)
        #expect(
            connection.handle(.deadlineReached(g1), at: 99_000)
                == ConnectionReaction(.unexpected))
    }

    // W23
    @Test func `makes no attempt`() {
        var connection = DrivenConnection.waiting()
        connection.handle(.background, at: 1_500)
        #expect(connection.machine.status == .suspended)
        #expect(connection.machine.nextDeadline == nil)
        #expect(connection.handle(.deadlineReached(g1), at: 9_000).open == nil)
        #expect(connection.handle(.pathHint(.available), at: 9_000).open == nil)
    }

    @Test func `suspends an attempt that fails there`() {
        var connection = DrivenConnection.connecting()
        connection.handle(.background, at: 10)
        #expect(connection.machine.nextDeadline == 10_000)  // The attempt goes on.
        connection.handle(.deadlineReached(g1), at: 10_000)
        #expect(connection.machine.status == .suspended)
    }

    @Test func `does not judge what opens there`() {
        var connection = DrivenConnection.connecting()
        connection.handle(.background, at: 10)
        connection.handle(.opened(g1), at: 20)
        #expect(connection.machine.nextDeadline == nil)
        #expect(connection.handle(.foreground, at: 90_000).ping?.number == 1)
    }

    @Test func `may say so twice`() {
        var connection = DrivenConnection.open()
        connection.handle(.background, at: 10)
        #expect(connection.handle(.background, at: 20) == ConnectionReaction(.duplicate))
    }
}

@Suite struct `An application back in the foreground` {
    // W23
    @Test func `asks its connection before trusting it`() {
        var connection = DrivenConnection.open()
        connection.handle(.background, at: 1_000)
        let ping = ConnectionPing(generation: g1, number: 1)
        #expect(
            connection.handle(.foreground, at: 60_000)
                == ConnectionReaction(.accepted, ping: ping))
        #expect(connection.machine.nextDeadline == 63_000)
        let end = CloseFacts(generation: g1, cause: .heartbeatTimedOut, age: 63_000)
        #expect(connection.handle(.deadlineReached(g1), at: 63_000).ended == end)
    }

    // W23
    @Test func `keeps a connection that answers`() {
        var connection = DrivenConnection.open()
        connection.handle(.background, at: 1_000)
        connection.handle(.foreground, at: 60_000)
        connection.handle(.pingHandedOver(g1, ping: 1), at: 60_001)
        #expect(connection.machine.nextDeadline == 63_001)
        #expect(connection.handle(.pong(g1, ping: 1), at: 60_100).verdict == .accepted)
        #expect(connection.machine.nextDeadline == 85_100)
    }

    // W5
    @Test func `sends no second ping where one is outstanding`() {
        var connection = DrivenConnection.pinging()
        connection.handle(.background, at: 26_000)
        #expect(connection.handle(.foreground, at: 60_000) == ConnectionReaction(.accepted))
        #expect(connection.machine.nextDeadline == 63_000)
    }

    @Test func `opens where its connection was lost`() {
        var connection = DrivenConnection.suspended()
        #expect(
            connection.handle(.foreground, at: 9_000) == ConnectionReaction(.accepted, open: g2))
    }

    @Test func `does not doubt a connection whose bytes it does not read`() {
        var connection = DrivenConnection.open()
        connection.handle(.readingPaused(g1), at: 500)
        connection.handle(.background, at: 1_000)
        #expect(connection.handle(.foreground, at: 9_000) == ConnectionReaction(.accepted))
        #expect(connection.machine.nextDeadline == nil)
    }

    @Test func `asks a connection whose bytes it does not read as soon as it does`() {
        var connection = DrivenConnection.open()
        connection.handle(.readingPaused(g1), at: 500)
        connection.handle(.background, at: 1_000)
        connection.handle(.foreground, at: 9_000)
        connection.handle(.readingResumed(g1), at: 10_000)
        #expect(connection.handle(.deadlineReached(g1), at: 10_000).ping?.number == 1)
        #expect(connection.machine.nextDeadline == 13_000)
    }

    @Test func `wants a byte soon from a stream that cannot be pinged`() {
        let policy = ConnectionPolicy(silence: .after(45_000))
        var stream = DrivenConnection(policy, heartbeat: Heartbeat(interval: .max, timeout: .max))
        stream.handle(.connect, at: 0)
        stream.handle(.opened(g1), at: 0)
        stream.handle(.background, at: 1_000)
        #expect(stream.handle(.foreground, at: 90_000) == ConnectionReaction(.accepted))
        #expect(stream.machine.nextDeadline == 93_000)
        stream.handle(.received(g1), at: 92_999)
        #expect(stream.machine.nextDeadline == 137_999)
    }

    @Test func `wants a byte soon also from a stream that may be silent for ever`() {
        var stream = DrivenConnection(
            ConnectionPolicy(silenceAfterChange: 20_000),
            heartbeat: Heartbeat(interval: .max, timeout: .max))
        stream.handle(.connect, at: 0)
        stream.handle(.opened(g1), at: 0)
        stream.handle(.background, at: 1_000)
        stream.handle(.foreground, at: 90_000)
        #expect(stream.machine.nextDeadline == 93_000)
        #expect(stream.handle(.deadlineReached(g1), at: 93_000).ended?.cause == .idleTimedOut)
    }

    @Test func `asks also where it was not away, as after a sleep, and not twice at once`() {
        var connection = DrivenConnection.open()
        #expect(connection.handle(.foreground, at: 1_000).ping?.number == 1)
        connection.handle(.pong(g1, ping: 1), at: 1_100)
        #expect(connection.handle(.foreground, at: 1_200) == ConnectionReaction(.accepted))
        #expect(connection.handle(.foreground, at: 1_300) == ConnectionReaction(.duplicate))
        #expect(connection.handle(.deadlineReached(g1), at: 6_000).ping?.number == 2)
    }
}

@Suite struct `An event that was processed` {
    @Test func `proves the connection, so its next failure is the first`() {
        var connection = DrivenConnection.waiting()
        connection.handle(.deadlineReached(g1), at: 2_000)
        connection.handle(.opened(g2), at: 2_100)
        #expect(connection.machine.failures == 1)  // Opening alone proves nothing.
        #expect(connection.handle(.progressed(g2), at: 2_200) == ConnectionReaction(.accepted))
        #expect(connection.machine.failures == 0)
    }

    // W2
    @Test func `proves nothing of a later connection`() {
        var connection = DrivenConnection.waiting()
        connection.handle(.deadlineReached(g1), at: 2_000)
        connection.handle(.opened(g2), at: 2_100)
        #expect(connection.handle(.progressed(g1), at: 2_200) == ConnectionReaction(.stale))
        #expect(connection.machine.failures == 1)
    }
}
