import BelayCore
import BelayTesting
import Testing

/// The space is finite, and exhausted: with one event that the server says twice, or with as many,
/// up to 4, as BELAY_EXPLORATION_DEPTH names (`make explore`).
@Suite struct `Resuming through cuts, failures and crashes` {
    // E2, E3, E4, E5, E6, E13, E14, E15
    @Test func `leaves out nothing and commits nothing twice`() {
        let world = ResumeWorld(sayings: min(explorationDepth(1), 4))
        Exploration(world, depth: 1_000).expectSatisfied("resume")
    }
}

/// Server replay × dedupe × crash × failing handler, crossed without a bound: the space is finite
/// all the same, and exhausted.
@Suite struct `Delivering through replays, failures and crashes` {
    // E2, E5, E6, E11, E13, E14
    @Test(arguments: DeliveryWorld.Ledger.allCases)
    func `loses nothing, and repeats what the ledger says`(ledger: DeliveryWorld.Ledger) {
        let world = DeliveryWorld(ledger: ledger)
        Exploration(world, depth: 1_000).expectSatisfied("delivery, \(ledger)")
    }
}

@Suite struct `Resuming where a server numbers anew` {
    // E2, E5, E6, E14
    @Test(arguments: [ResumePolicy.Duplicates.skipped, .handled])
    func `loses what the policy takes for a replay, and nothing else`(
        duplicates: ResumePolicy.Duplicates
    ) {
        let world = RenumberingWorld(duplicates: duplicates)
        Exploration(world, depth: 1_000).expectSatisfied("renumbering, \(duplicates)")
    }
}
