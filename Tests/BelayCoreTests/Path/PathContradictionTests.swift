import BelayCore
import Testing

@Suite struct `A contradiction of the path` {
    private func hint(_ state: PathState) -> NetworkHint {
        var hint = NetworkHint()
        hint.accept(generation: hint.restart(), state: state)
        return hint
    }

    // P2
    @Test(arguments: PathState.allCases)
    func `is a success under a missing path, and nothing else`(_ state: PathState) {
        var contradiction = PathContradiction()
        #expect(!contradiction.stands)
        contradiction.succeeded(under: hint(state))
        #expect(contradiction.stands == (state == .unavailable))
    }

    @Test func `ends when the system says something else, and with a success under a path`() {
        var contradiction = PathContradiction()
        contradiction.succeeded(under: hint(.unavailable))
        contradiction.hintChanged(from: hint(.unavailable), to: hint(.available))
        #expect(!contradiction.stands)
        contradiction.succeeded(under: hint(.unavailable))
        contradiction.succeeded(under: hint(.available))
        #expect(!contradiction.stands)
    }

    // P10
    @Test(arguments: [
        (PathUpdate(.unavailable, expensive: true, change: 1), true),
        (PathUpdate(.unavailable, constrained: true, change: 1), true),
        (PathUpdate(.unavailable, change: 1, reason: .noCarrier), true),
        (PathUpdate(.unavailable, change: 2), false),
        (PathUpdate(.needsConnection, change: 1), false),
    ])
    func `outlasts another cost or reason, and no other path`(
        _ update: PathUpdate, _ stands: Bool
    ) {
        var hint = NetworkHint()
        let id = hint.restart()
        hint.accept(generation: id, PathUpdate(.unavailable, change: 1))
        var contradiction = PathContradiction()
        contradiction.succeeded(under: hint)
        let before = hint
        hint.accept(generation: id, update)
        contradiction.hintChanged(from: before, to: hint)
        #expect(contradiction.stands == stands)
    }

    // P4
    @Test func `ends with its observation`() {
        var hint = hint(.unavailable)
        var contradiction = PathContradiction()
        contradiction.succeeded(under: hint)
        let before = hint
        let id = hint.restart()
        hint.accept(generation: id, before.newest)
        contradiction.hintChanged(from: before, to: hint)
        #expect(!contradiction.stands)
    }
}
