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

    // P4, P7
    @Test func `counts what it dropped of old observations, and says the same as before`() {
        var hint = NetworkHint()
        let old = hint.restart()
        let current = hint.restart()
        hint.accept(generation: current, state: .available)
        let before = hint
        hint.accept(generation: old, state: .unavailable)
        hint.accept(generation: old, PathUpdate(.available, change: 7))
        #expect(hint.dropped == 2)
        #expect(before.dropped == 0)
        #expect(hint == before && hint.hashValue == before.hashValue)
        hint.accept(generation: current, state: .available)
        hint.accept(generation: current, state: .unavailable)
        #expect(hint.dropped == 2)
        _ = hint.restart()
        #expect(hint.dropped == 2)
        #expect(hint != before)
    }

    // P4
    @Test(arguments: PathReason.allCases)
    func `says why there is no path, until the next report or observation`(_ reason: PathReason) {
        var hint = NetworkHint()
        let old = hint.restart()
        #expect(hint.reason == nil)
        hint.accept(generation: old, PathUpdate(.unavailable, reason: reason))
        #expect(hint.reason == reason)
        #expect(hint.accept(generation: old, PathUpdate(.unavailable)) == .accepted)
        #expect(hint.reason == nil)
        hint.accept(generation: old, PathUpdate(.unavailable, reason: reason))
        let current = hint.restart()
        #expect(hint.reason == nil)
        hint.accept(generation: old, PathUpdate(.unavailable, reason: reason))
        #expect(hint.reason == nil)
        hint.accept(generation: current, state: .available)
        #expect(hint.reason == nil)
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
    @Test func `is fed by updates that say of cost what they know, and nothing else`() {
        let update = PathUpdate(.needsConnection)
        #expect(update.expensive == .unknown && update.constrained == .unknown)
        #expect(update.state == .needsConnection)
    }

    // P6, P11
    @Test(arguments: PathTrait.allCases)
    func `calls a path expensive only where that is known`(_ trait: PathTrait) {
        var hint = NetworkHint()
        let id = hint.restart()
        hint.accept(generation: id, PathUpdate(.available, expensive: trait, constrained: trait))
        #expect(hint.expensive == (trait == .yes) && hint.constrained == (trait == .yes))
        #expect(hint.newest.expensive == trait && hint.newest.constrained == trait)
    }

    // P6
    @Test func `sees a change between two paths that look the same`() {
        var hint = NetworkHint()
        let id = hint.restart()
        #expect(hint.accept(generation: id, PathUpdate(.available, change: 1)) == .accepted)
        #expect(hint.accept(generation: id, PathUpdate(.available, change: 2)) == .accepted)
        #expect(hint.accept(generation: id, PathUpdate(.available, change: 2)) == .duplicate)
        #expect(hint.newest.change == 2)
        _ = hint.restart()
        #expect(hint.newest.change == 0)
    }

    // P11
    @Test(arguments: [(PathTrait.unknown, nil), (.no, false), (.yes, true)])
    func `tells "no" from what nobody knows`(_ trait: PathTrait, _ known: Bool?) {
        #expect(trait.known == known)
        if let known { #expect(PathTrait(known) == trait) }
    }
}
