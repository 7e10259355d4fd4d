import Testing

@testable import BelayCore

/// Open since 0, by a policy of 100 and 1,000 ms.
private func open(
    _ change: (inout Heartbeat.Policy) -> Void
) -> (heartbeat: Heartbeat, id: Generation) {
    var policy = Heartbeat.Policy(interval: 100, timeout: 1_000)
    change(&policy)
    var heartbeat = Heartbeat(policy)
    let id = heartbeat.connect()
    heartbeat.opened(id, now: 0)
    return (heartbeat, id)
}

@Suite struct `A heartbeat's policy` {
    @Test func `is the article's rule by default`() {
        let policy = Heartbeat.Policy(interval: 100, timeout: 1_000)
        #expect(Heartbeat(policy) == Heartbeat(interval: 100, timeout: 1_000))
        var chance = ExtremeChance.greatest
        #expect(policy.firstAdvance(using: &chance) == 0)
        #expect(policy.advance(using: &chance) == 0)
    }

    @Test func `traps on a share of more than the whole`() async {
        await #expect(processExitsWith: .failure) {
            _ = Heartbeat.Policy(interval: 1, timeout: 1, jitter: 101)
        }
    }

    @Test func `traps on a limit of no length`() async {
        await #expect(processExitsWith: .failure) {
            _ = Heartbeat.Policy(interval: 1, timeout: 1, queuedTimeout: 0)
        }
    }
}

@Suite struct `The jitter of a heartbeat` {
    @Test(arguments: [0, 1, 50, 99, 100], ExtremeChance.allCases)
    func `takes at most its share of the interval`(_ percent: Int, _ chance: ExtremeChance) {
        var chance = chance
        let policy = Heartbeat.Policy(interval: 250, timeout: 1, jitter: percent)
        let most = Milliseconds(percent) * 250 / 100
        #expect(policy.advance(using: &chance) == (chance == .least ? 0 : most))
    }

    @Test func `neither overflows nor draws where no ping comes`() {
        var chance = ExtremeChance.greatest
        let never = Heartbeat.Policy(interval: .max, timeout: 1, firstJitter: 100)
        #expect(never.firstAdvance(using: &chance) == 0)
        let long = Heartbeat.Policy(interval: .max - 1, timeout: 1, firstJitter: 100)
        #expect(long.firstAdvance(using: &chance) == .max - 1)
    }

    @Test func `makes one ping earlier, never at once and never twice`() {
        var (heartbeat, id) = open { _ in }
        heartbeat.advanceNextPing(by: 30)
        #expect(heartbeat.nextDeadline == 70)
        _ = heartbeat.tick(now: 70)
        heartbeat.pong(id, now: 80)
        #expect(heartbeat.nextDeadline == 180)
        heartbeat.advanceNextPing(by: 100)
        #expect(heartbeat.nextDeadline == 81)
    }

    @Test func `is kept by a heartbeat that was held`() {
        var (heartbeat, _) = open { _ in }
        heartbeat.hold()
        heartbeat.advanceNextPing(by: 30)
        heartbeat.release(now: 1_000)
        #expect(heartbeat.nextDeadline == 1_070)
    }
}

@Suite struct `Bytes of the peer` {
    // W18
    @Test func `leave the next ping where it is by default`() {
        var (heartbeat, _) = open { _ in }
        heartbeat.received(now: 90)
        #expect(heartbeat.nextDeadline == 100)
    }

    @Test func `postpone the next ping where the policy says so, with its jitter`() {
        var (heartbeat, id) = open { $0.inbound = .postponesPing }
        heartbeat.advanceNextPing(by: 30)
        heartbeat.received(now: 60)
        #expect(heartbeat.nextDeadline == 130)
        #expect(heartbeat.tick(now: 130) == .ping(id))
    }

    // W18
    @Test func `never answer a ping, nor move its deadline`() {
        var (heartbeat, id) = open { $0.inbound = .postponesPing }
        _ = heartbeat.tick(now: 100)
        heartbeat.received(now: 1_000)
        #expect(heartbeat.tick(now: 1_100) == .close(id))
    }
}

@Suite struct `A missed pong` {
    // W5
    @Test func `is followed by another ping as often as the policy says`() {
        var (heartbeat, id) = open { $0.missedPongs = 2 }
        _ = heartbeat.tick(now: 100)
        #expect(heartbeat.tick(now: 1_100) == .ping(id))
        #expect(heartbeat.pingNumber == 2)
        #expect(heartbeat.tick(now: 2_099) == nil)
        #expect(heartbeat.tick(now: 2_100) == .ping(id))
        #expect(heartbeat.tick(now: 3_100) == .close(id))
    }

    @Test func `is forgotten with the next answer, and an older one is none`() {
        var (heartbeat, id) = open { $0.missedPongs = 1 }
        _ = heartbeat.tick(now: 100)
        _ = heartbeat.tick(now: 1_100)
        #expect(heartbeat.pong(id, ping: 1, now: 1_200) == .duplicate)
        #expect(heartbeat.pong(id, ping: 2, now: 1_200) == .accepted)
        _ = heartbeat.tick(now: 1_300)
        #expect(heartbeat.tick(now: 2_300) == .ping(id))
    }
}

@Suite struct `A deadline that was slept past` {
    private func overdue() -> (heartbeat: Heartbeat, id: Generation) {
        var (heartbeat, id) = open { ($0.overdueAfter, $0.overdueTimeout) = (500, 300) }
        _ = heartbeat.tick(now: 100)
        heartbeat.pingHandedOver(id, ping: 1, now: 100)
        return (heartbeat, id)
    }

    // W6, W9
    @Test func `is judged at once where it is noticed soon enough`() {
        var (heartbeat, id) = overdue()
        #expect(heartbeat.tick(now: 1_600) == .close(id))
    }

    @Test func `is followed by one probe, whose answer decides`() {
        var (heartbeat, id) = overdue()
        // The answer lay unread, and is read before the timer is asked.
        #expect(heartbeat.pong(id, ping: 1, now: 61_000) == .late)
        #expect(heartbeat.tick(now: 61_000) == .ping(id))
        #expect(heartbeat.nextDeadline == 61_300)
        #expect(heartbeat.pong(id, ping: 2, now: 61_200) == .accepted)
        #expect(heartbeat.nextDeadline == 61_300)
    }

    @Test func `is forgiven once until an answer, however slow the machine`() {
        var (heartbeat, id) = overdue()
        _ = heartbeat.tick(now: 61_000)
        #expect(heartbeat.tick(now: 99_000) == .close(id))
    }
}

@Suite struct `A pong that may stand behind a large frame` {
    /// Ping 1 on its way since 100; its answer may take 1,000, behind a frame 6,000.
    private func asking() -> (heartbeat: Heartbeat, id: Generation) {
        var (heartbeat, id) = open { $0.queuedTimeout = 6_000 }
        _ = heartbeat.tick(now: 100)
        heartbeat.pingHandedOver(id, ping: 1, now: 100)
        return (heartbeat, id)
    }

    @Test func `is late a timeout after the frame's last part`() {
        var (heartbeat, id) = asking()
        heartbeat.partlyReceived(now: 1_099)
        #expect(heartbeat.tick(now: 2_098) == nil)
        #expect(heartbeat.tick(now: 2_099) == .close(id))
    }

    @Test func `is late after the longest limit, however the frame drips`() {
        var (heartbeat, id) = asking()
        for moment in stride(from: 200, to: 6_100, by: 100) {
            heartbeat.partlyReceived(now: Milliseconds(moment))
            #expect(heartbeat.tick(now: Milliseconds(moment)) == nil)
        }
        #expect(heartbeat.tick(now: 6_099) == nil)
        #expect(heartbeat.tick(now: 6_100) == .close(id))
    }

    @Test func `is late at a deadline that has passed`() {
        var (heartbeat, id) = asking()
        heartbeat.partlyReceived(now: 1_100)
        #expect(heartbeat.tick(now: 1_100) == .close(id))
    }

    @Test func `has its one timeout where the policy names no longer limit`() {
        var (heartbeat, id) = open { _ in }
        _ = heartbeat.tick(now: 100)
        heartbeat.pingHandedOver(id, ping: 1, now: 100)
        heartbeat.partlyReceived(now: 900)
        #expect(heartbeat.tick(now: 1_100) == .close(id))
    }

    @Test func `of a ping that has not left is waited for as long as that`() {
        var (heartbeat, _) = open { $0.queuedTimeout = 6_000 }
        _ = heartbeat.tick(now: 100)
        heartbeat.partlyReceived(now: 5_900)
        #expect(heartbeat.nextDeadline == 6_100)
    }
}

@Suite struct `A ping that may wait behind a large write` {
    @Test func `is late only after the longer limit, or after its hand-over`() {
        var (heartbeat, id) = open { $0.queuedTimeout = 6_000 }
        _ = heartbeat.tick(now: 100)
        #expect(heartbeat.nextDeadline == 6_100)
        #expect(heartbeat.pingHandedOver(id, ping: 1, now: 5_000) == .accepted)
        #expect(heartbeat.tick(now: 5_999) == nil)
        #expect(heartbeat.tick(now: 6_000) == .close(id))
    }

    @Test func `that never leaves is given up at the longer limit`() {
        var (heartbeat, id) = open { $0.queuedTimeout = 6_000 }
        _ = heartbeat.tick(now: 100)
        #expect(heartbeat.tick(now: 6_099) == nil)
        #expect(heartbeat.tick(now: 6_100) == .close(id))
    }

    @Test func `is not hurried by a probe before it leaves, and is after`() {
        var (heartbeat, id) = open { $0.queuedTimeout = 6_000 }
        _ = heartbeat.tick(now: 100)
        #expect(heartbeat.probe(now: 200, within: 300) == nil)
        #expect(heartbeat.nextDeadline == 6_100)
        heartbeat.pingHandedOver(id, ping: 1, now: 4_000)
        #expect(heartbeat.nextDeadline == 4_300)
    }

    @Test func `keeps its longer limit where nobody could judge meanwhile`() {
        var (heartbeat, _) = open { $0.queuedTimeout = 6_000 }
        _ = heartbeat.tick(now: 100)
        heartbeat.hold()
        heartbeat.release(now: 9_000)
        #expect(heartbeat.nextDeadline == 15_000)
    }

    @Test func `is aged from its hand-over, or from its order where none was reported`() {
        var (heartbeat, id) = open { _ in }
        #expect(heartbeat.pingAge(now: 50) == nil)
        _ = heartbeat.tick(now: 100)
        #expect(heartbeat.pingAge(now: 150) == 50)
        heartbeat.pingHandedOver(id, ping: 1, now: 600)
        #expect(heartbeat.pingAge(now: 640) == 40)
        heartbeat.hold()
        #expect(heartbeat.pingAge(now: 650) == nil)
    }
}
