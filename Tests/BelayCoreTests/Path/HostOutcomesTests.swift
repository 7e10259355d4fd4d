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

    // P1, P2, P12
    @Test func `give each host its own banner, and its own contradiction of a missing path`() {
        var hint = NetworkHint()
        let id = hint.restart()
        hint.accept(generation: id, state: .available)
        var outcomes = HostOutcomes()
        outcomes.record(.succeeded, of: "c.example", under: hint)
        hint.accept(generation: id, state: .unavailable)
        outcomes.record(.succeeded, of: "printer.local", under: hint)
        outcomes.record(.failed(.notConnected), of: "a.example", under: hint)
        #expect(outcomes.banner(of: "Printer.local", on: hint) == .pathContradicted)
        #expect(outcomes.banner(of: "a.example", on: hint) == .pathUnavailable)
        #expect(outcomes.banner(of: "b.example", on: hint) == .pathUnavailable)
        #expect(outcomes.banner(of: "c.example", on: hint) == .pathUnavailable)
        let before = hint
        hint.accept(generation: id, state: .available)
        outcomes.hintChanged(from: before, to: hint)
        #expect(outcomes.banner(of: "printer.local", on: hint) == .none)
        #expect(outcomes.banner(of: "a.example", on: hint) == .requestFailed)
        hint.accept(generation: id, state: .unavailable)
        #expect(outcomes.banner(of: "printer.local", on: hint) == .pathUnavailable)
    }
}
