import BelayCore
import Testing

@Suite struct `A network hint` {
    // P5
    @Test func `follows the article's sequence`() {
        var hint = NetworkHint()
        #expect(hint.state == .unknown)
        let old = hint.restart()
        hint.accept(generation: old, state: .available, expensive: true)
        #expect(hint.state == .available && hint.expensive)
        let current = hint.restart()
        hint.accept(generation: old, state: .unavailable)
        #expect(hint.state == .unknown)
        hint.accept(generation: current, state: .needsConnection)
        #expect(hint.state == .needsConnection)
        hint.accept(generation: current, state: .available, constrained: true)
        #expect(hint.constrained && !hint.expensive)
        hint.accept(generation: current, state: .unavailable)
        #expect(hint.state == .unavailable)
        hint.accept(generation: current, state: .available)
        #expect(hint.state == .available && !hint.constrained)
    }

    // P1
    @Test func `is unknown until the present observation reports`() {
        var hint = NetworkHint()
        #expect(hint.state == .unknown)
        let id = hint.restart()
        #expect(hint.state == .unknown)
        hint.accept(generation: id, state: .unavailable)
        _ = hint.restart()
        #expect(hint.state == .unknown)
    }

    // P4
    @Test func `starts with a greater number and without flags`() {
        var hint = NetworkHint()
        let old = hint.restart()
        hint.accept(generation: old, state: .available, expensive: true, constrained: true)
        let current = hint.restart()
        #expect(current > old)
        #expect(!hint.expensive && !hint.constrained)
    }

    // P4, P7, P10
    @Test(arguments: PathState.allCases, [false, true])
    func `takes nothing from an old observation, flags included`(_ path: PathState, _ flag: Bool) {
        var hint = NetworkHint()
        let old = hint.restart()
        let current = hint.restart()
        hint.accept(generation: current, state: .needsConnection, expensive: true)
        let before = hint
        let verdict = hint.accept(
            generation: old, state: path, expensive: flag, constrained: flag)
        #expect(verdict == .stale)
        #expect(hint == before)
    }

    // P10
    @Test func `does not grow with a repeated report`() {
        var hint = NetworkHint()
        let id = hint.restart()
        #expect(hint.accept(generation: id, state: .available, expensive: true) == .accepted)
        let before = hint
        #expect(hint.accept(generation: id, state: .available, expensive: true) == .duplicate)
        #expect(hint == before)
    }

    // P10, P11
    @Test func `changes only the flag when only the cost changes`() {
        var hint = NetworkHint()
        let id = hint.restart()
        hint.accept(generation: id, state: .available)
        #expect(hint.accept(generation: id, state: .available, expensive: true) == .accepted)
        #expect(hint.state == .available)
        #expect(hint.expensive)
    }

    // P1
    @Test func `has the four states of the article`() {
        #expect(PathState.allCases == [.unknown, .available, .needsConnection, .unavailable])
    }

    // P11
    @Test func `is fed by updates whose flags are false unless said`() {
        let update = PathUpdate(.needsConnection)
        #expect(!update.expensive && !update.constrained)
        #expect(update.state == .needsConnection)
    }
}
