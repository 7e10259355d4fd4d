import Testing

@testable import BelayCore

@Suite struct `A suspected lifetime limit` {
    private func suspected(
        _ ages: [Milliseconds], by cause: CloseCause = .peerVanished
    ) -> [Milliseconds?] {
        var suspicion = LifetimeSuspicion()
        return ages.map { age in
            suspicion.ended(
                CloseFacts(generation: Generation(1), cause: cause, age: age), floor: 10_000)
        }
    }

    @Test func `is told once, with the third end at the same age`() {
        let ages: [Milliseconds] = [30_000, 30_900, 29_500, 30_000, 30_000, 30_000]
        #expect(suspected(ages) == [nil, nil, 29_500, nil, nil, nil])
    }

    @Test(
        arguments: [
            [30_000, 40_000, 30_000, 40_000], [30_000, 30_000, 34_000, 30_000],
            [9_999, 9_999, 9_999],
        ] as [[Milliseconds]])
    func `is none where the ages differ, or are a flapping server's`(_ ages: [Milliseconds]) {
        #expect(suspected(ages).allSatisfy { $0 == nil })
    }

    @Test func `begins again behind an end at another age`() {
        #expect(suspected([50_000, 30_000, 30_000, 30_000]).last == 30_000)
    }

    @Test(arguments: [.closedLocally, .replaced, .heartbeatTimedOut] as [CloseCause])
    func `is not raised by what we end ourselves`(_ cause: CloseCause) {
        #expect(suspected([30_000, 30_000, 30_000], by: cause).allSatisfy { $0 == nil })
    }

    @Test func `is not raised by attempts that never opened`() {
        var suspicion = LifetimeSuspicion()
        let refused = CloseFacts(generation: Generation(1), cause: .connectFailed(.refused))
        for _ in 0..<4 { #expect(suspicion.ended(refused, floor: 1) == nil) }
        #expect(suspicion.rotationAge == .never)
    }

    @Test func `never traps on the clock's extremes`() {
        #expect(suspected([.max, .max, .max]).last == .some(.max))
    }
}

@Suite struct `A connection with a suspected lifetime` {
    /// Three generations, each cut at the age of 30 s; the fourth is open since the last number.
    private func cutThrice(_ policy: ConnectionPolicy = ConnectionPolicy()) -> (
        connection: DrivenConnection, facts: CloseFacts?, now: Milliseconds
    ) {
        var connection = DrivenConnection(policy, heartbeat: Heartbeat(interval: .max, timeout: 1))
        var now: Milliseconds = 0
        var facts: CloseFacts?
        connection.handle(.connect, at: now)
        for number in 1...3 as ClosedRange<UInt64> {
            let id = Generation(number)
            connection.handle(.opened(id), at: now)
            now += 30_000
            facts = connection.handle(.ended(id, .peerVanished), at: now).ended
            now = connection.machine.nextDeadline ?? now
            connection.handle(.deadlineReached(id), at: now)
        }
        connection.handle(.opened(Generation(4)), at: now)
        return (connection, facts, now)
    }

    @Test func `tells it beside the end`() {
        let (_, facts, _) = cutThrice()
        #expect(facts?.suspectedLifetime == 30_000)
        #expect(facts?.cause == .peerVanished)
    }

    // W24
    @Test func `is replaced a tenth before it, and that is no failure`() {
        var (connection, _, now) = cutThrice()
        let failures = connection.machine.failures
        let id = Generation(4)
        #expect(connection.machine.nextDeadline == now + 27_000)
        #expect(connection.handle(.deadlineReached(id), at: now + 26_999).ended == nil)
        let end = CloseFacts(generation: id, cause: .replaced, age: 27_000)
        #expect(
            connection.handle(.deadlineReached(id), at: now + 27_000)
                == ConnectionReaction(.accepted, ended: end, open: Generation(5)))
        #expect(connection.machine.failures == failures)
    }

    /// An event stream, which no age proves: when its fourth connection is replaced, by its age.
    struct Stream: CustomTestStringConvertible {
        /// The age at which an event was committed in it.
        let progress: Milliseconds?
        let replaced: Milliseconds?
        var testDescription: String { progress.map { "progress at \($0)" } ?? "no progress" }
    }

    @Test(arguments: [
        Stream(progress: nil, replaced: nil), Stream(progress: 0, replaced: 27_000),
        Stream(progress: 26_999, replaced: 27_000), Stream(progress: 27_000, replaced: 27_000),
        Stream(progress: 29_000, replaced: 29_000),
    ])
    func `is replaced before it only after progress, where no age proves anything`(
        _ stream: Stream
    ) {
        let backoff = BackoffPolicy(provenAfter: .max)
        var (connection, facts, now) = cutThrice(
            ConnectionPolicy(reconnect: ReconnectPolicy(backoff: backoff)))
        #expect(facts?.suspectedLifetime == 30_000)
        #expect(connection.machine.nextDeadline == nil)
        if let age = stream.progress {
            connection.handle(.progressed(Generation(4)), at: now + age)
        }
        let deadline = connection.machine.nextDeadline.map { max($0 - now, stream.progress ?? 0) }
        #expect(deadline == stream.replaced)
        let reaction = connection.handle(
            .deadlineReached(Generation(4)), at: now + (deadline ?? 29_999))
        #expect(reaction.ended?.cause == (stream.replaced == nil ? nil : .replaced))
    }

    @Test func `waits longer with each end at the same age, where no age proves anything`() {
        let backoff = BackoffPolicy(provenAfter: .max)
        var (connection, _, now) = cutThrice(
            ConnectionPolicy(reconnect: ReconnectPolicy(backoff: backoff)))
        var waits: [Milliseconds] = []
        for number in 4...7 as ClosedRange<UInt64> {
            let id = Generation(number)
            now += 30_000
            connection.handle(.ended(id, .peerVanished), at: now)
            let next = connection.machine.nextDeadline ?? now
            waits.append(next - now)
            now = next
            connection.handle(.deadlineReached(id), at: now)
            connection.handle(.opened(Generation(number + 1)), at: now)
        }
        #expect(waits == [8_000, 16_000, 30_000, 30_000])
    }

    @Test func `is not replaced in the background`() {
        var (connection, _, now) = cutThrice()
        connection.handle(.background, at: now + 10)
        #expect(connection.machine.nextDeadline == nil)
        #expect(connection.handle(.deadlineReached(Generation(4)), at: now + 27_000).open == nil)
    }

    @Test func `forgets it with a new life`() {
        var (connection, _, now) = cutThrice()
        connection.handle(.stop, at: now)
        connection.handle(.ended(Generation(4), .peerVanished), at: now)
        connection.handle(.connect, at: now)
        connection.handle(.opened(Generation(5)), at: now)
        #expect(connection.machine.nextDeadline == nil)
    }
}
