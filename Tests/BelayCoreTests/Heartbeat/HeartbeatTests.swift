import BelayCore
import Testing

/// A heartbeat of 100 and 1,000 ms, opened at 0.
private func openHeartbeat() -> (heartbeat: Heartbeat, id: Generation) {
    var heartbeat = Heartbeat(interval: 100, timeout: 1_000)
    let id = heartbeat.connect()
    heartbeat.opened(id, now: 0)
    return (heartbeat, id)
}

/// The same, with ping 1 ordered at 100 and its deadline at 1,100.
private func pingingHeartbeat() -> (heartbeat: Heartbeat, id: Generation) {
    var (heartbeat, id) = openHeartbeat()
    _ = heartbeat.tick(now: 100)
    return (heartbeat, id)
}

@Suite struct `A heartbeat` {
    // W3, W11, W25
    @Test func `follows the article's three timelines to the millisecond`() {
        var heartbeat = Heartbeat(interval: 100, timeout: 1_000)
        let first = heartbeat.connect()
        heartbeat.opened(first, now: 0)
        #expect(heartbeat.tick(now: 99) == nil)
        #expect(heartbeat.tick(now: 100) == .ping(first))
        #expect(heartbeat.tick(now: 1_099) == nil)
        #expect(heartbeat.pong(first, now: 1_100) == .late)
        #expect(heartbeat.tick(now: 1_100) == .close(first))

        let second = heartbeat.connect()
        #expect(heartbeat.opened(first, now: 1_200) == .stale)
        #expect(heartbeat.phase == .connecting)
        heartbeat.opened(second, now: 2_000)
        #expect(heartbeat.tick(now: 2_100) == .ping(second))
        #expect(heartbeat.pong(first, now: 2_150) == .stale)
        #expect(heartbeat.tick(now: 3_100) == .close(second))

        let third = heartbeat.connect()
        heartbeat.opened(third, now: 4_000)
        #expect(heartbeat.tick(now: 4_100) == .ping(third))
        heartbeat.pong(third, now: 4_200)
        #expect(heartbeat.tick(now: 4_299) == nil)
        #expect(heartbeat.tick(now: 4_300) == .ping(third))
    }

    // W1
    @Test func `numbers each transport greater than all before, opened or not`() {
        var heartbeat = Heartbeat(interval: 100, timeout: 1_000)
        let numbers = (1...5).map { _ in heartbeat.connect() }
        #expect(numbers == numbers.sorted())
        #expect(Set(numbers).count == 5)
        #expect(numbers.allSatisfy { $0 > .zero })
    }

    // W4
    @Test func `lets a full interval pass between opening and the first ping`() {
        var (heartbeat, id) = openHeartbeat()
        #expect(heartbeat.nextDeadline == 100)
        #expect(heartbeat.tick(now: 99) == nil)
        #expect(heartbeat.tick(now: 100) == .ping(id))
    }

    // W5
    @Test(arguments: [101, 500, 1_099] as [Milliseconds])
    func `sends no second ping while one is outstanding`(_ now: Milliseconds) {
        var (heartbeat, _) = pingingHeartbeat()
        #expect(heartbeat.tick(now: now) == nil)
        #expect(heartbeat.pingNumber == 1)
    }

    // W6
    @Test func `closes at the deadline, not before`() {
        var (heartbeat, id) = pingingHeartbeat()
        #expect(heartbeat.nextDeadline == 1_100)
        #expect(heartbeat.tick(now: 1_099) == nil)
        #expect(heartbeat.tick(now: 1_100) == .close(id))
    }

    // W9, W10
    @Test func `closes at the deadline whichever of timer and pong comes first`() {
        var (pongFirst, id) = pingingHeartbeat()
        #expect(pongFirst.pong(id, now: 1_100) == .late)
        #expect(pongFirst.phase == .open)  // The close comes from the next tick.
        #expect(pongFirst.nextDeadline == 1_100)
        #expect(pongFirst.tick(now: 1_100) == .close(id))

        var (timerFirst, _) = pingingHeartbeat()
        #expect(timerFirst.tick(now: 1_100) == .close(id))
        #expect(timerFirst.pong(id, now: 1_100) == .alreadyEnded)
        #expect(pongFirst == timerFirst)
    }

    // W12
    @Test func `is not postponed by a repeated open`() {
        var (heartbeat, id) = openHeartbeat()
        #expect(heartbeat.opened(id, now: 90) == .duplicate)
        #expect(heartbeat.tick(now: 100) == .ping(id))
        #expect(heartbeat.opened(id, now: 1_000) == .duplicate)
        #expect(heartbeat.tick(now: 1_100) == .close(id))
        #expect(heartbeat.opened(id, now: 1_200) == .alreadyEnded)
        #expect(heartbeat.phase == .idle)
    }

    // W13
    @Test func `ignores a pong that nothing asked for`() {
        var heartbeat = Heartbeat(interval: 100, timeout: 1_000)
        #expect(heartbeat.pong(.zero, now: 0) == .alreadyEnded)
        let id = heartbeat.connect()
        #expect(heartbeat.pong(id, now: 1) == .unexpected)
        #expect(heartbeat.phase == .connecting)
        heartbeat.opened(id, now: 10)
        #expect(heartbeat.pong(id, now: 50) == .unexpected)
        #expect(heartbeat.tick(now: 110) == .ping(id))
    }

    // W14
    @Test func `closes once, however often time is checked`() {
        var (heartbeat, id) = pingingHeartbeat()
        let actions = [1_100, 1_100, 1_101, 9_000].map { heartbeat.tick(now: $0) }
        #expect(actions == [.close(id), nil, nil, nil])
        #expect(heartbeat.nextDeadline == nil)
    }

    // W19
    @Test func `tells the answers of its pings apart by number`() {
        var (heartbeat, id) = pingingHeartbeat()
        #expect(heartbeat.pong(id, ping: 1, now: 200) == .accepted)
        #expect(heartbeat.pong(id, ping: 1, now: 250) == .duplicate)
        #expect(heartbeat.tick(now: 300) == .ping(id))
        #expect(heartbeat.pong(id, ping: 1, now: 400) == .duplicate)
        #expect(heartbeat.tick(now: 1_300) == .close(id))
    }

    // W2, W7
    @Test func `takes nothing from a generation before it`() {
        var (heartbeat, old) = pingingHeartbeat()
        let current = heartbeat.connect()
        heartbeat.opened(current, now: 200)
        _ = heartbeat.tick(now: 300)
        let before = heartbeat
        #expect(heartbeat.opened(old, now: 310) == .stale)
        #expect(heartbeat.pong(old, ping: 1, now: 310) == .stale)
        #expect(heartbeat.pingHandedOver(old, ping: 1, now: 310) == .stale)
        #expect(heartbeat.ended(old) == .stale)
        #expect(heartbeat == before)
    }

    // W7
    @Test func `neither pings nor closes once its transport ended`() {
        var (heartbeat, id) = pingingHeartbeat()
        #expect(heartbeat.ended(id) == .accepted)
        #expect(heartbeat.ended(id) == .alreadyEnded)
        #expect(heartbeat.nextDeadline == nil)
        #expect(heartbeat.tick(now: 9_000) == nil)
    }
}

@Suite struct `A ping behind a large write` {
    @Test func `has its deadline count from the hand-over`() {
        var (heartbeat, id) = pingingHeartbeat()
        #expect(heartbeat.pingHandedOver(id, ping: 1, now: 600) == .accepted)
        #expect(heartbeat.nextDeadline == 1_600)
        #expect(heartbeat.tick(now: 1_599) == nil)
        #expect(heartbeat.tick(now: 1_600) == .close(id))
    }

    @Test func `is not saved by a hand-over at its deadline`() {
        var (heartbeat, id) = pingingHeartbeat()
        #expect(heartbeat.pingHandedOver(id, ping: 1, now: 1_100) == .late)
        #expect(heartbeat.tick(now: 1_100) == .close(id))
    }

    // W19
    @Test func `is handed over once, so repeated reports keep nothing alive`() {
        var (heartbeat, id) = pingingHeartbeat()
        heartbeat.pingHandedOver(id, ping: 1, now: 100)
        #expect(heartbeat.pingHandedOver(id, ping: 1, now: 1_000) == .duplicate)
        #expect(heartbeat.tick(now: 1_100) == .close(id))
    }

    @Test func `is not handed over in the name of an older ping`() {
        var (heartbeat, id) = pingingHeartbeat()
        heartbeat.pong(id, ping: 1, now: 200)
        #expect(heartbeat.pingHandedOver(id, ping: 1, now: 250) == .unexpected)
        _ = heartbeat.tick(now: 300)
        #expect(heartbeat.pingHandedOver(id, ping: 1, now: 400) == .duplicate)
        #expect(heartbeat.nextDeadline == 1_300)
    }

    // W23
    @Test func `keeps a probe's limit when it is handed over`() {
        var (heartbeat, id) = openHeartbeat()
        #expect(heartbeat.probe(now: 50, within: 300) == .ping(id))
        #expect(heartbeat.pingHandedOver(id, ping: 1, now: 60) == .accepted)
        #expect(heartbeat.nextDeadline == 360)
    }

    @Test func `may be handed over while nobody judges, and only then`() {
        var (heartbeat, id) = pingingHeartbeat()
        heartbeat.hold()
        #expect(heartbeat.pingHandedOver(id, ping: 1, now: 500) == .accepted)
        heartbeat.release(now: 2_000)
        #expect(heartbeat.pingHandedOver(id, ping: 1, now: 2_900) == .duplicate)
        #expect(heartbeat.nextDeadline == 3_000)
    }
}

@Suite struct `A doubtful connection` {
    // W23
    @Test func `is asked at once and answers within the nearer limit`() {
        var (heartbeat, id) = openHeartbeat()
        #expect(heartbeat.probe(now: 10, within: 300) == .ping(id))
        #expect(heartbeat.nextDeadline == 310)
        #expect(heartbeat.pong(id, ping: 1, now: 20) == .accepted)
        #expect(heartbeat.nextDeadline == 120)
    }

    // W5, W23
    @Test func `gets no second ping, only a nearer deadline`() {
        var (heartbeat, _) = pingingHeartbeat()
        #expect(heartbeat.probe(now: 200, within: 300) == nil)
        #expect(heartbeat.nextDeadline == 500)
        #expect(heartbeat.probe(now: 490, within: 300) == nil)
        #expect(heartbeat.nextDeadline == 500)
    }

    @Test func `gets no longer to answer than without the doubt`() {
        var (heartbeat, _) = openHeartbeat()
        _ = heartbeat.probe(now: 100, within: 3_000)
        #expect(heartbeat.nextDeadline == 1_100)
    }

    // W23
    @Test func `is neither pinged nor closed while nobody can judge`() {
        var (heartbeat, id) = pingingHeartbeat()
        heartbeat.hold()
        #expect(heartbeat.nextDeadline == nil)
        #expect(heartbeat.tick(now: 9_000) == nil)
        #expect(heartbeat.phase == .open)
        heartbeat.release(now: 9_000)
        #expect(heartbeat.nextDeadline == 10_000)
        #expect(heartbeat.pong(id, ping: 1, now: 9_500) == .accepted)
    }

    // W23
    @Test func `has its probe outstanding after a time without judge`() {
        var (heartbeat, id) = pingingHeartbeat()
        heartbeat.hold()
        #expect(heartbeat.probe(now: 9_000, within: 300) == nil)
        #expect(heartbeat.tick(now: 9_300) == .close(id))

        var (answered, _) = pingingHeartbeat()
        answered.hold()
        #expect(answered.pong(id, ping: 1, now: 8_000) == .accepted)
        #expect(answered.probe(now: 9_000, within: 300) == .ping(id))
    }
}

@Suite struct `A heartbeat at the ends of its numbers` {
    @Test(arguments: [Milliseconds.min, -1, 0, .max - 1, .max])
    func `never pings with an endless interval`(_ now: Milliseconds) {
        var heartbeat = Heartbeat(interval: .max, timeout: .max)
        let id = heartbeat.connect()
        heartbeat.opened(id, now: now)
        #expect(heartbeat.nextDeadline == nil)
        #expect(heartbeat.tick(now: .max) == nil)
    }

    @Test func `does not close a healthy connection by arithmetic`() {
        var heartbeat = Heartbeat(interval: 1, timeout: .max)
        let id = heartbeat.connect()
        heartbeat.opened(id, now: .max - 2)
        #expect(heartbeat.tick(now: .max - 1) == .ping(id))
        #expect(heartbeat.nextDeadline == nil)
        #expect(heartbeat.tick(now: .max) == nil)
        #expect(heartbeat.pong(id, now: .max) == .accepted)
        #expect(heartbeat.tick(now: .max) == nil)
    }

    // W3
    @Test func `stands still while the clock steps back`() {
        var (heartbeat, id) = pingingHeartbeat()
        #expect(heartbeat.pong(id, now: 1_050) == .accepted)
        #expect(heartbeat.tick(now: 1_150) == .ping(id))
        #expect(heartbeat.tick(now: -5_000) == nil)
        #expect(heartbeat.pong(id, now: -4_000) == .accepted)
        #expect(heartbeat.nextDeadline == 1_250)
        #expect(heartbeat.tick(now: .min) == nil)
        #expect(heartbeat.tick(now: 1_249) == nil)
        #expect(heartbeat.tick(now: 1_250) == .ping(id))
    }
}

@Suite struct `A heartbeat misused` {
    @Test func `traps on an interval of no length`() async {
        await #expect(processExitsWith: .failure) { _ = Heartbeat(interval: 0, timeout: 1) }
    }

    @Test func `traps on a timeout of no length`() async {
        await #expect(processExitsWith: .failure) { _ = Heartbeat(interval: 1, timeout: 0) }
    }

    @Test func `traps on a probe of no length`() async {
        await #expect(processExitsWith: .failure) {
            var heartbeat = Heartbeat(interval: 1, timeout: 1)
            _ = heartbeat.probe(now: 0, within: 0)
        }
    }
}
