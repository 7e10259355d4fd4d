import BelayCore
import Testing

@Suite struct `The numbers of resuming` {
    @Test func `have the documented defaults`() {
        #expect(ResumePolicy().window == 1_024)
        #expect(ResumePolicy().attemptLimit == 8)
        #expect(ResumePolicy().duplicates == .skipped)
        #expect(ResumePolicy().backoff == BackoffPolicy())
    }

    @Test func `trap on a window of no ids`() async {
        await #expect(processExitsWith: .failure) { _ = ResumePolicy(window: 0) }
    }

    @Test func `trap on no attempts`() async {
        await #expect(processExitsWith: .failure) { _ = ResumePolicy(attemptLimit: 0) }
    }
}
