import BelayCore
import Testing

@testable import Belay

@Suite struct `A configuration` {
    @Test func `has the defaults of the machine`() {
        #expect(ConnectionConfiguration().policy == ConnectionPolicy())
    }

    @Test(
        arguments: [
            (.zero, 0), (.milliseconds(1), 1), (.microseconds(1), 1), (.microseconds(1_001), 2),
            (.microseconds(-1), 0), (.microseconds(-1_001), -1), (.seconds(-2), -2_000),
            (.nanoseconds(1_999_999_999), 2_000), (.seconds(Int64.max), .max),
            (.seconds(Int64.min), .min), (.seconds(Int64.max / 1_000), 9_223_372_036_854_775_000),
        ] as [(Duration, Milliseconds)])
    func `counts whole milliseconds, rounded up, and never overflows`(
        length: Duration, counted: Milliseconds
    ) {
        #expect(Milliseconds(clamping: length) == counted)
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min)])
    func `raises every length to its range`(length: Duration) {
        var configuration = ConnectionConfiguration()
        configuration.openTimeout = length
        configuration.closeTimeout = length
        configuration.idleTimeout = .after(length)
        configuration.probeTimeout = length
        configuration.shortestWait = length
        configuration.firstWait = length
        configuration.longestWait = length
        configuration.provenAfter = length
        configuration.restartWait = length...length
        configuration.lifetimeFloor = length
        configuration.attemptLimit = -3
        let policy = configuration.policy
        #expect(policy.openTimeout == 1)
        #expect(policy.closeTimeout == 1)
        #expect(policy.silence == .after(1))
        #expect(policy.probeTimeout == 1)
        #expect(
            policy.reconnect.backoff == BackoffPolicy(floor: 1, base: 1, cap: 1, provenAfter: 0))
        #expect(policy.reconnect.attemptLimit == 1)
        #expect(policy.reconnect.restartWait == 0...0)
        #expect(policy.reconnect.lifetimeFloor == 1)
    }

    @Test func `keeps its waits in order, the shortest deciding`() {
        var configuration = ConnectionConfiguration()
        configuration.shortestWait = .seconds(5)
        configuration.firstWait = .seconds(2)
        configuration.longestWait = .seconds(1)
        let backoff = configuration.policy.reconnect.backoff
        #expect(backoff.floor == 5_000)
        #expect(backoff.base == 5_000)
        #expect(backoff.cap == 5_000)
    }

    @Test func `has no idle timeout unless it is given one`() {
        var configuration = ConnectionConfiguration()
        #expect(configuration.policy.silence == .unlimited)
        configuration.idleTimeout = .after(.seconds(40))
        #expect(configuration.policy.silence == .after(40_000))
    }

    @Test func `learns an idle timeout by the documented numbers, or by others in their range`() {
        var configuration = ConnectionConfiguration()
        configuration.idleTimeout = .learned()
        #expect(configuration.policy.silence == .learned(LearnedSilence.Policy()))
        var numbers = IdleTimeout.Learned()
        (numbers.multiple, numbers.samples) = (-1, 0)
        (numbers.floor, numbers.ceiling) = (.zero, .milliseconds(1))
        configuration.idleTimeout = .learned(numbers)
        let least = LearnedSilence.Policy(multiple: 2, samples: 2, floor: 8, ceiling: 8)
        #expect(configuration.policy.silence == .learned(least))
    }

    // What proves an event stream is a committed event, not the time that it was open.
    @Test func `takes no uptime for the proof of an event stream`() {
        let policy = ConnectionConfiguration().policy(ofStreamAsking: false, snapshot: nil)
        #expect(policy.reconnect.backoff.provenAfter == .max)
        #expect(!policy.reconnect.takesSnapshots)
    }
}
