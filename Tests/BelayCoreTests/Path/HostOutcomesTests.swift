import BelayCore
import Testing

@Suite struct `Outcomes by host` {
    // P2
    @Test func `say nothing of one host for another`() {
        var outcomes = HostOutcomes()
        #expect(outcomes["a.example"] == .none)
        outcomes.record(.failed(.notAuthorized), of: "A.example")
        outcomes.record(.succeeded, of: "b.example")
        #expect(outcomes["a.EXAMPLE"] == .failed(.notAuthorized))
        #expect(outcomes["b.example"] == .succeeded)
        outcomes.record(.succeeded, of: "a.example")
        #expect(outcomes["a.example"] == .succeeded)
        #expect(outcomes.hosts == ["b.example", "a.example"])
    }

    @Test func `forget the host that was asked longest ago`() {
        var outcomes = HostOutcomes(limit: 2)
        for host in ["a", "b", "a", "c"] { outcomes.record(.succeeded, of: host) }
        #expect(outcomes.hosts == ["a", "c"])
        #expect(outcomes["b"] == .none)
    }
}
