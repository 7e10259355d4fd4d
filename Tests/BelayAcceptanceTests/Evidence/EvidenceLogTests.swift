import BelayCore
import Testing

@testable import BelayAcceptance

@Suite struct `The log of a scenario` {
    @Test func `wakes who waits at the entry that was missing`() async {
        let log = EvidenceLog()
        log.append(.opens(1))
        async let second: Void = log.wait(for: Condition(.opened, times: 2))
        log.append(.pings(2, 1))
        log.append(.opens(3, 2))
        await second
        #expect(log.evidence.client.count == 3)
    }

    @Test func `does not wait for what was there before`() async {
        let log = EvidenceLog()
        log.append(.commits(1, "2"))
        await log.wait(for: Condition(.committed(id: "2")))
    }

    @Test func `lets a cancelled task go`() async {
        let log = EvidenceLog()
        let waiting = Task { await log.wait(for: Condition(.ended)) }
        waiting.cancel()
        await waiting.value
    }

    @Test func `keeps the oldest, and counts the rest`() {
        let log = EvidenceLog(limit: 2)
        for at in 1...5 { log.append(.opens(Milliseconds(at))) }
        #expect(log.evidence.client.map(\.at) == [1, 2])
        #expect(log.evidence.omitted == 3)
    }
}
