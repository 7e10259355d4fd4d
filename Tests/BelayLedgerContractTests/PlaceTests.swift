import Belay
import BelayCore
import Testing

/// Where a block without data moved the cursor, in a ledger that outlives its process.
@Suite struct `The place of a block without data` {
    /// An event with this id comes; whether it was handled.
    private func take(_ id: String, _ ledger: any EventLedger) throws -> Bool {
        let offer = ResumeMachine.Offer(ownID: EventID(id), lastEventID: EventID(id))
        guard try ledger.offer(offer) != .skipCommitted else { return false }
        try ledger.commit()
        return true
    }

    // E5, E6, E11, E16
    @Test(arguments: [LedgerKind.file, .sqlite])
    func `is forgotten in the next life, which loses nothing and applies nothing twice`(
        _ kind: LedgerKind
    ) throws {
        let folder = try Folder()
        let first = try kind.make(in: folder)
        #expect(try first.acquire())
        #expect(try take("1", first))
        try first.moved(to: EventID("5"))
        #expect(try take("6", first))
        // A replay from the beginning, in the same life: the cursor stays.
        #expect(try take("1", first) == false)
        try first.moved(to: EventID("5"))
        #expect(first.cursor == EventID("6"))
        first.release()

        // The same replay in the next life, which ends behind the block.
        let second = try kind.make(in: folder)
        #expect(try second.acquire())
        #expect(second.cursor == EventID("6"))
        #expect(try take("1", second) == false)
        try second.moved(to: EventID("5"))
        #expect(second.cursor == EventID("5"))
        second.release()

        // What follows the place comes again, and what is new behind it.
        let third = try kind.make(in: folder)
        #expect(try third.acquire())
        #expect(third.cursor == EventID("5"))
        #expect(try take("6", third) == false)
        #expect(try take("7", third))
        #expect(third.cursor == EventID("7"))
    }
}
