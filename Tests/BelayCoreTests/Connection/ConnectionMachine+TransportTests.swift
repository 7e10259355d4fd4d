import Testing

@testable import BelayCore

private let g1 = DrivenConnection.g1
private let g2 = DrivenConnection.g2

/// All that a transport or timer of `id` can say.
private func reports(of id: Generation) -> [ConnectionInput] {
    [
        .opened(id), .received(id), .partlyReceived(id), .sent(id), .pingHandedOver(id, ping: 1),
        .pong(id, ping: 1), .unsolicitedPong(id), .reconnectionTime(id, 9_000),
        .readingPaused(id), .readingResumed(id), .ended(id, .reset), .deadlineReached(id),
        .progressed(id),
    ]
}

/// A second generation in each of its states, with generation 1 behind it.
private let successors: [DrivenConnection] = {
    var connecting = DrivenConnection.open()
    connecting.handle(.replace, at: 100)
    var open = connecting
    open.handle(.opened(g2), at: 100)
    var pinging = open
    pinging.handle(.deadlineReached(g2), at: 25_100)
    var paused = open
    paused.handle(.readingPaused(g2), at: 200)
    var closing = open
    closing.handle(.stop, at: 200)
    var waiting = open
    waiting.handle(.ended(g2, .reset), at: 200)
    var suspended = waiting
    suspended.handle(.background, at: 300)
    var stopped = waiting
    stopped.handle(.stop, at: 300)
    return [connecting, open, pinging, paused, closing, waiting, suspended, stopped]
}()

@Suite struct `A transport that was replaced` {
    // W1, W2, W7
    @Test(arguments: reports(of: g1), successors)
    func `changes nothing, whatever it says`(
        _ input: ConnectionInput, _ connection: DrivenConnection
    ) {
        var connection = connection
        let before = connection.decisions
        #expect(connection.handle(input, at: 99_000) == ConnectionReaction(.stale))
        #expect(connection.decisions == before)
    }

    // W1
    @Test(arguments: reports(of: .zero) + reports(of: Generation(9)))
    func `is told apart from numbers that were never given`(_ input: ConnectionInput) {
        var connection = DrivenConnection.open()
        let before = connection.decisions
        #expect(connection.handle(input, at: 99_000) == ConnectionReaction(.stale))
        #expect(connection.decisions == before)
    }
}

@Suite struct `A transport that ended` {
    // W7, W24
    @Test(
        arguments: reports(of: g1).filter {
            switch $0 {
            case .unsolicitedPong, .deadlineReached: false  // Evidence, and the next attempt.
            case .progressed: false  // A handler may return after it.
            default: true
            }
        },
        [DrivenConnection.waiting(), .suspended(), .stopped()])
    func `changes nothing, whatever it says afterwards`(
        _ input: ConnectionInput, _ connection: DrivenConnection
    ) {
        var connection = connection
        let before = connection.decisions
        #expect(connection.handle(input, at: 1_600) == ConnectionReaction(.alreadyEnded))
        #expect(connection.decisions == before)
    }
}

@Suite struct `An opened transport` {
    // W4
    @Test func `is pinged after one interval`() {
        var connection = DrivenConnection.connecting()
        #expect(connection.handle(.opened(g1), at: 400) == ConnectionReaction(.accepted))
        #expect(connection.machine.status == .open(g1))
        #expect(connection.machine.nextDeadline == 25_400)
    }

    @Test func `is late at its deadline, whichever of timer and report comes first`() {
        var connection = DrivenConnection.connecting()
        #expect(connection.handle(.opened(g1), at: 10_000) == ConnectionReaction(.late))
        #expect(connection.machine.nextDeadline == 10_000)
        let end = CloseFacts(generation: g1, cause: .openTimedOut)
        #expect(connection.handle(.deadlineReached(g1), at: 10_000).ended == end)
    }

    // W12
    @Test(arguments: [DrivenConnection.open(), .pinging(), .closing()])
    func `is not postponed by a repeated report`(_ connection: DrivenConnection) {
        var connection = connection
        let before = connection.decisions
        #expect(connection.handle(.opened(g1), at: 26_000) == ConnectionReaction(.duplicate))
        #expect(connection.decisions == before)
    }

    @Test func `does not reset the waits by opening`() {
        var connection = DrivenConnection.waiting()
        connection.handle(.deadlineReached(g1), at: 2_000)
        connection.handle(.opened(g2), at: 2_000)
        connection.handle(.ended(g2, .reset), at: 2_100)
        #expect(connection.machine.failures == 2)
        #expect(connection.machine.status == .waiting(until: 4_100))
    }
}

@Suite struct `What an open connection hears` {
    // W18
    @Test func `is no pong when it is a message`() {
        var connection = DrivenConnection.pinging()
        #expect(connection.handle(.received(g1), at: 30_000) == ConnectionReaction(.accepted))
        #expect(connection.machine.nextDeadline == 35_000)
        #expect(
            connection.handle(.deadlineReached(g1), at: 35_000).ended?.cause == .heartbeatTimedOut)
    }

    // W18
    @Test func `is no pong of ours when nobody asked for it`() {
        var connection = DrivenConnection.pinging()
        #expect(
            connection.handle(.unsolicitedPong(g1), at: 30_000) == ConnectionReaction(.unexpected))
        #expect(connection.machine.nextDeadline == 35_000)
    }

    @Test func `breaks the silence when it is a message`() {
        var connection = DrivenConnection.open(ConnectionPolicy(silence: .after(20_000)))
        connection.handle(.received(g1), at: 10_000)
        #expect(connection.machine.nextDeadline == 25_000)
        connection.handle(.deadlineReached(g1), at: 25_000)
        #expect(connection.machine.nextDeadline == 30_000)
        #expect(connection.handle(.deadlineReached(g1), at: 30_000).ended?.cause == .idleTimedOut)
    }

    @Test func `breaks the silence when it is a part of a large message`() {
        var connection = DrivenConnection.open(ConnectionPolicy(silence: .after(20_000)))
        connection.handle(.partlyReceived(g1), at: 10_000)
        connection.handle(.deadlineReached(g1), at: 25_000)
        #expect(connection.machine.nextDeadline == 30_000)
    }

    @Test func `is no pong when it is a part of a large message, and lets one be later`() {
        var policy = Heartbeat.Policy(interval: 25_000, timeout: 10_000)
        policy.queuedTimeout = 60_000
        var connection = DrivenConnection(heartbeat: Heartbeat(policy))
        connection.handle(.connect, at: 0)
        connection.handle(.opened(g1), at: 0)
        connection.handle(.deadlineReached(g1), at: 25_000)
        connection.handle(.pingHandedOver(g1, ping: 1), at: 25_000)
        #expect(connection.handle(.partlyReceived(g1), at: 34_000).verdict == .accepted)
        #expect(connection.handle(.deadlineReached(g1), at: 35_000).ended == nil)
        #expect(connection.handle(.pong(g1, ping: 1), at: 43_000).roundTrip == 18_000)
    }

    @Test func `breaks the silence when it is the pong that was asked for`() {
        var connection = DrivenConnection.pinging(ConnectionPolicy(silence: .after(26_000)))
        connection.handle(.pong(g1, ping: 1), at: 25_900)
        #expect(connection.handle(.deadlineReached(g1), at: 26_000).ended == nil)
        #expect(connection.machine.nextDeadline == 50_900)
    }

    // W9, W10
    @Test func `is late as a pong at the deadline`() {
        var connection = DrivenConnection.pinging()
        #expect(connection.handle(.pong(g1, ping: 1), at: 35_000) == ConnectionReaction(.late))
        #expect(
            connection.handle(.deadlineReached(g1), at: 35_000).ended?.cause == .heartbeatTimedOut)
    }

    // W19
    @Test func `is no proof when it answers an older ping`() {
        var connection = DrivenConnection.pinging()
        connection.handle(.pong(g1, ping: 1), at: 26_000)
        connection.handle(.deadlineReached(g1), at: 51_000)
        #expect(
            connection.handle(.pong(g1, ping: 1), at: 52_000) == ConnectionReaction(.duplicate))
        #expect(connection.machine.nextDeadline == 61_000)
    }

    @Test func `counts a ping's deadline from its hand-over`() {
        var connection = DrivenConnection.pinging()
        connection.handle(.pingHandedOver(g1, ping: 1), at: 30_000)
        #expect(connection.machine.nextDeadline == 40_000)
    }

    @Test(arguments: [DrivenConnection.open(), .closing()])
    func `leaves a send's completion without effect`(_ connection: DrivenConnection) {
        var connection = connection
        let before = connection.decisions
        #expect(connection.handle(.sent(g1), at: 3_000) == ConnectionReaction(.accepted))
        #expect(connection.decisions == before)
    }

    // E11
    @Test func `sets where waits start from when the server names it`() {
        var connection = DrivenConnection.open()
        connection.handle(.reconnectionTime(g1, 7_000), at: 500)
        connection.handle(.ended(g1, .peerFinished), at: 1_000)
        #expect(connection.machine.status == .waiting(until: 8_000))
    }
}

@Suite struct `A connection whose bytes are not read` {
    // E12
    @Test func `is not judged by its silence`() {
        var connection = DrivenConnection.pinging(ConnectionPolicy(silence: .after(30_000)))
        #expect(connection.handle(.readingPaused(g1), at: 26_000).verdict == .accepted)
        #expect(connection.machine.nextDeadline == nil)
        #expect(connection.handle(.deadlineReached(g1), at: 99_000).verdict == .unexpected)
        #expect(connection.handle(.readingResumed(g1), at: 99_000).verdict == .accepted)
        #expect(connection.machine.nextDeadline == 109_000)
    }

    @Test func `says so once each way`() {
        var connection = DrivenConnection.open()
        #expect(connection.handle(.readingResumed(g1), at: 10).verdict == .duplicate)
        connection.handle(.readingPaused(g1), at: 20)
        #expect(connection.handle(.readingPaused(g1), at: 30).verdict == .duplicate)
    }

    @Test func `is not judged in the background when it is read again`() {
        var connection = DrivenConnection.open()
        connection.handle(.readingPaused(g1), at: 10)
        connection.handle(.background, at: 20)
        connection.handle(.readingResumed(g1), at: 30)
        #expect(connection.machine.nextDeadline == nil)
    }
}

@Suite struct `The round trip of a ping` {
    @Test func `is told with its answer, from the hand-over on`() {
        var connection = DrivenConnection.pinging()
        connection.handle(.pingHandedOver(g1, ping: 1), at: 25_100)
        #expect(
            connection.handle(.pong(g1, ping: 1), at: 25_140)
                == ConnectionReaction(.accepted, roundTrip: 40))
    }

    @Test func `is not told of an answer that does not count`() {
        var connection = DrivenConnection.pinging()
        #expect(connection.handle(.pong(g1, ping: 1), at: 35_000) == ConnectionReaction(.late))
    }
}

@Suite struct `The jitter of a connection's pings` {
    @Test(arguments: zip(ExtremeChance.allCases, [25_000, 1] as [Milliseconds]))
    func `is drawn for the first one and for each later one`(
        _ chance: ExtremeChance, _ first: Milliseconds
    ) {
        let policy = Heartbeat.Policy(
            interval: 25_000, timeout: 10_000, firstJitter: 100, jitter: 20)
        var connection = DrivenConnection(heartbeat: Heartbeat(policy))
        connection.chance = chance
        connection.handle(.connect, at: 0)
        connection.handle(.opened(g1), at: 0)
        #expect(connection.machine.nextDeadline == first)
        connection.handle(.deadlineReached(g1), at: first)
        connection.handle(.pong(g1, ping: 1), at: first + 100)
        let later: Milliseconds = chance == .least ? 25_000 : 20_000
        #expect(connection.machine.nextDeadline == first + 100 + later)
    }
}

@Suite struct `The end of a generation` {
    // W24
    @Test func `has one cause: the first report`() {
        var connection = DrivenConnection.open()
        let end = CloseFacts(generation: g1, cause: .peerClosed(code: 1_001), age: 1_000)
        #expect(
            connection.handle(.ended(g1, .peerClosed(code: 1_001)), at: 1_000)
                == ConnectionReaction(.accepted, ended: end))
        #expect(
            connection.handle(.ended(g1, .reset), at: 1_000) == ConnectionReaction(.alreadyEnded))
        #expect(connection.machine.failures == 1)
        #expect(connection.machine.status == .waiting(until: 2_000))
    }

    @Test func `counts as the first failure after proven uptime`() {
        var connection = DrivenConnection.waiting()
        connection.handle(.deadlineReached(g1), at: 2_000)
        connection.handle(.opened(g2), at: 2_000)
        connection.handle(.ended(g2, .reset), at: 62_000)
        #expect(connection.machine.failures == 1)
        #expect(connection.machine.status == .waiting(until: 63_000))
    }

    @Test func `counts as one more before it`() {
        var connection = DrivenConnection.waiting()
        connection.handle(.deadlineReached(g1), at: 2_000)
        connection.handle(.opened(g2), at: 2_000)
        connection.handle(.ended(g2, .reset), at: 61_999)
        #expect(connection.machine.failures == 2)
    }

    @Test func `is for good when the peer says that coming back is no use`() {
        var connection = DrivenConnection.connecting()
        connection.handle(.ended(g1, .toldToStop), at: 100)
        #expect(connection.machine.status == .stopped(.toldToStop))
        #expect(connection.machine.nextDeadline == nil)
    }

    @Test func `is for good at the limit of attempts`() {
        let policy = ConnectionPolicy(reconnect: ReconnectPolicy(attemptLimit: 2))
        var connection = DrivenConnection.waiting(policy)
        connection.handle(.deadlineReached(g1), at: 2_000)
        connection.handle(.ended(g2, .connectFailed(.refused)), at: 2_100)
        #expect(connection.machine.status == .stopped(.connectFailed(.refused)))
    }
}
