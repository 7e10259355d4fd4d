import BelaySQLite
import Testing

/// The rules are explored without a bound over the machine, see `DeliveryWorld`; here over the
/// ledgers themselves, with every two things that can go wrong in a life.
@Suite struct `Delivery over a ledger` {
    // E2, E5, E6, E13, E14
    @Test(arguments: LedgerKind.allCases)
    func `loses nothing by any two replays, crashes and failing handlers`(
        _ kind: LedgerKind
    ) throws {
        let folder = try Folder()
        if kind == .sqlite {
            let ledger = try SQLiteLedger(path: folder.path("ledger"), stream: "effects")
            try ledger.transaction { try $0.run(Crossing.table) }
        }
        var choices = Choices()
        var lives = 0
        repeat {
            var crossing = try Crossing(kind, "\(lives)", in: folder)
            try crossing.run(by: &choices)
            try crossing.expectEffects()
            lives += 1
        } while choices.advance()
        // Without a crash there are fewer.
        #expect(lives == (kind == .memory ? 169 : 367))
    }
}
