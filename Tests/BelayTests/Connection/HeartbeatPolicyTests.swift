import BelayCore
import Testing

@testable import Belay

@Suite struct `The policy of an app's heartbeat` {
    @Test func `counts as the article does, but forgives a slow upload and a suspension`() {
        #expect(
            HeartbeatPolicy.every(.seconds(25), timeout: .seconds(10)).numbers
                == Heartbeat.Policy(
                    interval: 25_000, timeout: 10_000, queuedTimeout: 60_000, overdueAfter: 1_000))
    }

    @Test func `is spread by default`() {
        let numbers = HeartbeatPolicy.standard.numbers
        #expect((numbers.interval, numbers.timeout) == (25_000, 10_000))
        #expect((numbers.firstJitter, numbers.jitter) == (100, 20))
    }

    @Test func `may be off`() {
        #expect(HeartbeatPolicy.off.numbers.interval == .max)
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min)])
    func `raises every number to its range`(_ length: Duration) {
        var policy = HeartbeatPolicy.every(length, timeout: length)
        policy.queuedTimeout = length
        policy.overdueAfter = length
        policy.overdueTimeout = length
        (policy.firstJitter, policy.jitter, policy.missedPongs) = (-3, 300, -1)
        #expect(
            policy.numbers
                == Heartbeat.Policy(
                    interval: 1, timeout: 1, queuedTimeout: 1, jitter: 100, overdueAfter: 0,
                    overdueTimeout: 1))
    }
}
