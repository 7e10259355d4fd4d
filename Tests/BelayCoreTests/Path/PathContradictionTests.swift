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
        contradiction.hintChanged()
        #expect(!contradiction.stands)
        contradiction.succeeded(under: hint(.unavailable))
        contradiction.succeeded(under: hint(.available))
        #expect(!contradiction.stands)
    }
}
