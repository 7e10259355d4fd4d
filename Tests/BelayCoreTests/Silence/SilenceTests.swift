import Testing

@testable import BelayCore

private let g1 = DrivenConnection.g1
private let g2 = DrivenConnection.g2

@Suite struct `The silence of a connection` {
    private let policy = ConnectionPolicy(
        silence: .learned(.init(multiple: 2, samples: 2, floor: 1_000, ceiling: 60_000)))

    /// An event stream, open since 0, that spoke at these moments.
    private func heard(at moments: [Milliseconds]) -> DrivenConnection {
        let heartbeat = Heartbeat(.init(interval: .max, timeout: 1, overdueAfter: 1_000))
        var connection = DrivenConnection(policy, heartbeat: heartbeat)
        connection.handle(.connect, at: 0)
        connection.handle(.opened(g1), at: 0)
        for moment in moments { connection.handle(.received(g1), at: moment) }
        return connection
    }

    // E9
    @Test func `is learnt from its bytes, and ends it`() {
        var connection = heard(at: [])
        #expect(connection.machine.nextDeadline == nil)
        connection = heard(at: [10_000, 20_000])
        #expect(connection.machine.nextDeadline == 40_000)
        let reaction = connection.handle(.deadlineReached(g1), at: 40_000)
        #expect(reaction.ended?.cause == .idleTimedOut)
    }

    // E9
    @Test func `is known to the next connection, wider after a time-out`() {
        var connection = heard(at: [10_000, 20_000])
        connection.handle(.deadlineReached(g1), at: 40_000)
        connection.handle(.connect, at: 41_000)
        connection.handle(.opened(g2), at: 41_000)
        #expect(connection.machine.nextDeadline == 81_000)
    }

    @Test func `is known as it was after any other end`() {
        var connection = heard(at: [10_000, 20_000])
        connection.handle(.ended(g1, .reset), at: 25_000)
        connection.handle(.connect, at: 30_000)
        connection.handle(.opened(g2), at: 30_000)
        #expect(connection.machine.nextDeadline == 50_000)
        connection.handle(.received(g2), at: 31_000)
        #expect(connection.machine.nextDeadline == 51_000)
    }

    @Test func `teaches nothing while it is not read`() {
        var connection = heard(at: [10_000])
        connection.handle(.readingPaused(g1), at: 10_500)
        connection.handle(.received(g1), at: 20_000)
        connection.handle(.readingResumed(g1), at: 25_000)
        connection.handle(.received(g1), at: 26_000)
        #expect(connection.machine.nextDeadline == nil)
        connection.handle(.received(g1), at: 27_000)
        #expect(connection.machine.nextDeadline == 29_000)
    }

    @Test func `teaches nothing in the background`() {
        var connection = heard(at: [10_000])
        connection.handle(.background, at: 11_000)
        connection.handle(.received(g1), at: 20_000)
        connection.handle(.foreground, at: 90_000)
        connection.handle(.received(g1), at: 91_000)
        #expect(connection.machine.nextDeadline == nil)
    }

    @Test func `is not widened by a return to the foreground that nobody answered`() {
        var connection = heard(at: [10_000, 20_000])
        connection.handle(.background, at: 21_000)
        connection.handle(.foreground, at: 90_000)
        connection.handle(.deadlineReached(g1), at: 93_000)
        #expect(connection.machine.failures == 1)
        connection.handle(.connect, at: 94_000)
        connection.handle(.opened(g2), at: 94_000)
        #expect(connection.machine.nextDeadline == 114_000)
    }

    @Test func `is not widened, and teaches nothing, where this program slept past it`() {
        var connection = heard(at: [10_000, 20_000])
        connection.handle(.deadlineReached(g1), at: 50_000)
        #expect(connection.machine.nextDeadline == 53_000)
        var answered = connection
        answered.handle(.received(g1), at: 50_001)
        #expect(answered.machine.nextDeadline == 70_001)
        connection.handle(.deadlineReached(g1), at: 53_000)
        connection.handle(.connect, at: 54_000)
        connection.handle(.opened(g2), at: 54_000)
        #expect(connection.machine.nextDeadline == 74_000)
    }
}
