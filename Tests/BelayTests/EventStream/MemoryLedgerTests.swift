import BelayCore
import Testing

@testable import Belay

@Suite struct `A ledger in memory` {
    private func offer(_ id: String) -> ResumeMachine.Offer {
        ResumeMachine.Offer(ownID: EventID(id), lastEventID: EventID(id))
    }

    // E2
    @Test func `stands behind the id it is given, and knows that event as processed`() {
        let ledger = MemoryLedger(lastEventID: "7")
        #expect(ledger.cursor == EventID("7"))
        #expect(ledger.offer(offer("7")) == .skipCommitted)
    }

    // E4
    @Test func `moves its cursor when the handler returned, not before`() {
        let ledger = MemoryLedger()
        #expect(ledger.offer(offer("1")) == .handle(attempt: 1))
        #expect(ledger.cursor == nil)
        ledger.commit()
        #expect(ledger.cursor == EventID("1"))
        ledger.moved(to: EventID("2"))
        #expect(ledger.cursor == EventID("2"))
    }

    // E14
    @Test func `offers an event again that nobody finished`() {
        let ledger = MemoryLedger()
        _ = ledger.offer(offer("1"))
        ledger.abandoned()
        #expect(ledger.offer(offer("1")) == .handle(attempt: 1))
    }

    @Test func `belongs to one process at a time`() {
        let ledger = MemoryLedger()
        #expect(ledger.acquire())
        #expect(!ledger.acquire())
        ledger.release()
        #expect(ledger.acquire())
    }
}
