import BelayCore
import Testing

@Suite struct `The numbers of a backoff` {
    @Test func `have the documented defaults`() {
        let policy = BackoffPolicy()
        #expect(policy.floor == 250)
        #expect(policy.base == 1_000)
        #expect(policy.cap == 30_000)
        #expect(policy.serverLimit == 3_600_000)
        #expect(policy.provenAfter == 60_000)
    }

    @Test func `trap on a floor of 0`() async {
        await #expect(processExitsWith: .failure) { _ = BackoffPolicy(floor: 0) }
    }

    @Test func `trap on a floor above the base`() async {
        await #expect(processExitsWith: .failure) { _ = BackoffPolicy(floor: 2, base: 1) }
    }

    @Test func `trap on a base above the cap`() async {
        await #expect(processExitsWith: .failure) { _ = BackoffPolicy(base: 2_000, cap: 1_999) }
    }

    @Test func `trap on a negative limit for servers`() async {
        await #expect(processExitsWith: .failure) { _ = BackoffPolicy(serverLimit: -1) }
    }

    @Test func `trap on a negative uptime`() async {
        await #expect(processExitsWith: .failure) { _ = BackoffPolicy(provenAfter: -1) }
    }
}
