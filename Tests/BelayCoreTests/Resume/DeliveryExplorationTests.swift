import BelayTesting
import Testing

/// The space is finite, and exhausted.
@Suite struct `Delivering through replays, failures and crashes` {
    // E2, E5, E6, E11, E13, E14
    @Test(arguments: [DeliveryWorld.Ledger.transactional, .afterEffect])
    func `loses nothing, and repeats what the ledger says`(ledger: DeliveryWorld.Ledger) {
        let world = DeliveryWorld(ledger: ledger)
        Exploration(world, depth: 1_000).expectSatisfied("delivery, \(ledger)")
    }
}
