import BelayCore
import Testing

@Suite struct `The numbers of a connection` {
    @Test func `have the documented defaults`() {
        let policy = ConnectionPolicy()
        #expect(policy.openTimeout == 10_000)
        #expect(policy.closeTimeout == 5_000)
        #expect(policy.silence == .unlimited)
        #expect(policy.probeTimeout == 3_000)
        #expect(policy.hintedWait == 1_000)
        #expect(policy.hintSpacing == 5_000)
    }

    @Test func `trap on an attempt of no length`() async {
        await #expect(processExitsWith: .failure) { _ = ConnectionPolicy(openTimeout: 0) }
    }

    @Test func `trap on a closing handshake of no length`() async {
        await #expect(processExitsWith: .failure) { _ = ConnectionPolicy(closeTimeout: 0) }
    }

    @Test func `trap on a silence of no length`() async {
        await #expect(processExitsWith: .failure) { _ = ConnectionPolicy(silence: .after(0)) }
    }

    @Test func `trap on a probe of no length`() async {
        await #expect(processExitsWith: .failure) { _ = ConnectionPolicy(probeTimeout: 0) }
    }

    @Test func `trap on a negative spacing of hints`() async {
        await #expect(processExitsWith: .failure) { _ = ConnectionPolicy(hintSpacing: -1) }
    }

    @Test func `trap on a negative wait after a hint`() async {
        await #expect(processExitsWith: .failure) { _ = ConnectionPolicy(hintedWait: -1) }
    }
}
