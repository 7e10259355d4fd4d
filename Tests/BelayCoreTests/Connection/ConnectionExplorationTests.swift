import BelayCore
import BelayTesting
import Testing

/// Usually every order of 3 steps from four states: never connected, open, a ping outstanding,
/// waiting. BELAY_EXPLORATION_DEPTH asks for more, up to 2,000,000 distinct states: `make explore`.
@Suite struct `A connection in a hostile world` {
    struct Numbers: CustomTestStringConvertible {
        let testDescription: String
        let heartbeat: Heartbeat
        let policy: ConnectionPolicy
    }

    /// With a suspicion after three ends at any age, however short.
    private static let suspicious = ReconnectPolicy(
        backoff: reconnect.backoff, restartWait: 2...5, lifetimeFloor: 1)

    private static let reconnect = ReconnectPolicy(
        backoff: BackoffPolicy(floor: 1, base: 2, cap: 4, serverLimit: 8, provenAfter: 6),
        credentialAttempts: 1, restartWait: 2...5)

    /// Time proves nothing, and snapshots are taken.
    private static let ofStreams = ReconnectPolicy(
        backoff: BackoffPolicy(floor: 1, base: 2, cap: 4, serverLimit: 8, provenAfter: .max),
        credentialAttempts: 1, takesSnapshots: true, restartWait: 2...5)

    /// The same, with a suspicion after three ends at any age.
    private static let ofSuspiciousStreams = ReconnectPolicy(
        backoff: ofStreams.backoff, restartWait: 2...5, lifetimeFloor: 1)

    // W1, W2, W5, W6, W7, W9, W10, W12, W13, W14, W16, W18, W19, W23, W24, E15, P3, P11
    @Test(arguments: [
        Numbers(
            testDescription: "probes shorter than the timeout",
            heartbeat: Heartbeat(interval: 3, timeout: 3),
            policy: ConnectionPolicy(
                openTimeout: 4, closeTimeout: 3, silence: .after(8), probeTimeout: 2, hintedWait: 1,
                hintSpacing: 3, reconnect: reconnect)),
        Numbers(
            testDescription: "probes longer than the timeout",
            heartbeat: Heartbeat(interval: 2, timeout: 2),
            policy: ConnectionPolicy(
                openTimeout: 4, closeTimeout: 3, probeTimeout: 5, hintedWait: 1, hintSpacing: 0,
                reconnect: reconnect)),
        Numbers(
            testDescription: "a suspected lifetime",
            heartbeat: Heartbeat(interval: 3, timeout: 3),
            policy: ConnectionPolicy(
                openTimeout: 4, closeTimeout: 3, probeTimeout: 2, hintedWait: 1, hintSpacing: 3,
                reconnect: suspicious)),
        Numbers(
            testDescription: "a heartbeat that forgives",
            heartbeat: Heartbeat(
                Heartbeat.Policy(
                    interval: 4, timeout: 3, queuedTimeout: 5, firstJitter: 50, jitter: 50,
                    missedPongs: 1, overdueAfter: 2, overdueTimeout: 2, inbound: .postponesPing)),
            policy: ConnectionPolicy(
                openTimeout: 4, closeTimeout: 3, silence: .after(9), probeTimeout: 2, hintedWait: 1,
                hintSpacing: 3, reconnect: reconnect)),
        Numbers(
            testDescription: "an event stream, which cannot ping",
            heartbeat: Heartbeat(interval: .max, timeout: .max),
            policy: ConnectionPolicy(
                openTimeout: 4, closeTimeout: 3, silence: .after(5), probeTimeout: 2,
                silenceAfterChange: 3, hintedWait: 1, hintSpacing: 3, reconnect: ofStreams)),
        Numbers(
            testDescription: "an event stream with a suspected lifetime",
            heartbeat: Heartbeat(interval: .max, timeout: .max),
            policy: ConnectionPolicy(
                openTimeout: 4, closeTimeout: 3, silence: .after(9), probeTimeout: 2,
                silenceAfterChange: 3, hintedWait: 1, hintSpacing: 3,
                reconnect: ofSuspiciousStreams)),
        Numbers(
            testDescription: "an event stream whose silence is learnt",
            heartbeat: Heartbeat(interval: .max, timeout: .max),
            policy: ConnectionPolicy(
                openTimeout: 4, closeTimeout: 3,
                silence: .learned(.init(multiple: 2, samples: 2, floor: 8, ceiling: 16)),
                probeTimeout: 2, silenceAfterChange: 4, hintedWait: 1, hintSpacing: 3,
                reconnect: ofStreams)),
    ])
    func `is never stuck, never doubled and never moved by the dead`(_ numbers: Numbers) {
        let world = ConnectionWorld(heartbeat: numbers.heartbeat, policy: numbers.policy)
        Exploration(world, depth: explorationDepth(3))
            .expectSatisfied("connection, \(numbers.testDescription)")
    }
}
