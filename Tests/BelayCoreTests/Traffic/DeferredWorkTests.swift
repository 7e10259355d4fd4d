import BelayCore
import Testing

@Suite struct `Deferred work` {
    private static let dear = PathCost(expensive: true)
    private static let frugal = PathCost(expensive: true, constrained: true)

    private func work(on cost: PathCost, limit: Int = 10) -> DeferredWork<String> {
        var work = DeferredWork<String>(
            policy: TrafficPolicy(longestDeferral: 1_000), limit: limit)
        #expect(work.costChanged(cost).isEmpty)
        return work
    }

    // P10, P11
    @Test func `is begun in its order when the path costs less`() {
        var work = work(on: Self.frugal)
        #expect(work.submit("preview", as: .anticipated, now: 0) == .deferred(.constrained))
        #expect(work.submit("backup", as: .maintenance, now: 1) == .deferred(.constrained))
        #expect(work.submit("message", as: .requested, now: 2) == .begin)
        #expect(work.submit("update", as: .maintenance, now: 3) == .deferred(.constrained))
        #expect(work.costChanged(Self.dear) == ["preview"])
        #expect(work.deferral(of: "backup") == .expensive)
        #expect(work.deferral(of: "preview") == nil)
        #expect(work.costChanged(PathCost()) == ["backup", "update"])
        #expect(work.operations.isEmpty && work.nextDeadline == nil)
    }

    @Test func `is done all the same when it has waited for long enough`() {
        var work = work(on: Self.dear)
        _ = work.submit("backup", as: .maintenance, now: 0)
        _ = work.submit("update", as: .maintenance, now: 600)
        #expect(work.nextDeadline == 1_000)
        #expect(work.deadlineReached(now: 999).isEmpty)
        #expect(work.deadlineReached(now: 1_000) == ["backup"])
        #expect(work.nextDeadline == 1_600)
        #expect(work.deadlineReached(now: 9_000) == ["update"])
        #expect(work.nextDeadline == nil)
    }

    @Test func `waits once, however often it is submitted`() {
        var work = work(on: Self.dear)
        _ = work.submit("backup", as: .maintenance, now: 0)
        #expect(work.submit("backup", as: .maintenance, now: 500) == .deferred(.expensive))
        #expect(work.operations == ["backup"])
        #expect(work.nextDeadline == 1_000)
        #expect(work.submit("backup", as: .requested, now: 600) == .begin)
        #expect(work.operations.isEmpty)
    }

    @Test func `is begun rather than lost where no more may wait`() {
        var work = work(on: Self.dear, limit: 1)
        #expect(work.submit("backup", as: .maintenance, now: 0) == .deferred(.expensive))
        #expect(work.submit("update", as: .maintenance, now: 0) == .begin)
        #expect(work.operations == ["backup"])
    }

    @Test func `goes when a person or nobody wants it`() {
        var work = work(on: Self.dear)
        _ = work.submit("backup", as: .maintenance, now: 0)
        let withdrawals = (work.withdraw("backup"), work.withdraw("backup"))
        #expect(withdrawals == (true, false))
        #expect(work.costChanged(PathCost()).isEmpty)
    }

    // P1, P11
    @Test func `waits a moment for a first hint, and by the last word while it is unknown`() {
        var hint = NetworkHint()
        var work = DeferredWork<String>(
            policy: TrafficPolicy(longestDeferral: 10_000, longestUnknown: 100))
        #expect(work.submit("unasked", as: .maintenance, now: 0) == .begin)
        let id = hint.restart()
        #expect(work.hintChanged(hint).isEmpty)
        #expect(work.submit("backup", as: .maintenance, now: 0) == .deferred(.notReported))
        #expect(work.submit("message", as: .requested, now: 0) == .begin)
        #expect(work.waiting.map(\.deferral) == [.notReported])
        #expect(work.nextDeadline == 100)
        hint.accept(generation: id, state: .available, expensive: true)
        #expect(work.hintChanged(hint).isEmpty)
        #expect(work.deferral(of: "backup") == .expensive)
        #expect(work.nextDeadline == 10_000)
        _ = hint.restart()
        #expect(work.hintChanged(hint).isEmpty)
        #expect(work.cost == PathCost(expensive: true))
        #expect(work.submit("update", as: .maintenance, now: 50) == .deferred(.expensive))
        #expect(work.deadlineReached(now: 9_999).isEmpty)
        #expect(work.deadlineReached(now: 10_000) == ["backup"])
        hint.accept(generation: hint.generation, state: .unavailable)
        #expect(work.hintChanged(hint).isEmpty)
        hint.accept(generation: hint.generation, state: .available)
        #expect(work.hintChanged(hint) == ["update"])
    }

    /// A report, and the reason for which a backup waits after it.
    struct Word: CustomTestStringConvertible, Sendable {
        let last: PathUpdate
        let update: PathUpdate
        let deferral: Deferral?
        var testDescription: String { "\(update) after \(last)" }

        init(_ update: PathUpdate, after last: PathUpdate, _ deferral: Deferral?) {
            (self.update, self.last, self.deferral) = (update, last, deferral)
        }
    }

    private static let unsaid = PathUpdate(.available)
    private static let metered = PathUpdate(.available, expensive: true)
    private static let free = PathUpdate(.available, expensive: false)

    // P1, P4, P11
    @Test(arguments: [
        // Linux: the kernel's word comes before NetworkManager's, and outlives it.
        Word(unsaid, after: PathUpdate(.unknown), .notReported),
        Word(metered, after: unsaid, .expensive), Word(free, after: unsaid, nil),
        Word(unsaid, after: metered, .expensive), Word(unsaid, after: free, nil),
        Word(PathUpdate(.needsConnection), after: metered, .expensive),
        Word(PathUpdate(.needsConnection, expensive: true), after: free, .expensive),
        Word(PathUpdate(.needsConnection, expensive: false), after: metered, nil),
        // A tunnel: whatever a path that is gone is said to cost.
        Word(PathUpdate(.unavailable), after: metered, .expensive),
        Word(PathUpdate(.unavailable, expensive: false), after: metered, .expensive),
        Word(PathUpdate(.unavailable, expensive: true), after: free, nil),
        Word(PathUpdate(.unavailable, expensive: false), after: unsaid, .notReported),
        Word(PathUpdate(.unknown, expensive: false), after: metered, .expensive),
        // One word of two.
        Word(PathUpdate(.available, constrained: true), after: metered, .constrained),
        Word(PathUpdate(.available, constrained: false), after: metered, .expensive),
        Word(free, after: PathUpdate(.available, constrained: true), .constrained),
    ])
    func `goes by the last word of cost that a path had`(_ word: Word) {
        var hint = NetworkHint()
        var work = DeferredWork<String>()
        let id = hint.restart()
        for update in [word.last, word.update] {
            hint.accept(generation: id, update)
            _ = work.hintChanged(hint)
        }
        let answer = work.submit("backup", as: .maintenance, now: 0)
        #expect(answer == (word.deferral.map { .deferred($0) } ?? .begin))
    }

    // P1, P11
    @Test func `is begun by time where a path is there and nobody says what it costs`() {
        var hint = NetworkHint()
        var work = DeferredWork<String>(policy: TrafficPolicy(longestUnknown: 100))
        let id = hint.restart()
        _ = work.hintChanged(hint)
        _ = work.submit("backup", as: .maintenance, now: 0)
        hint.accept(generation: id, Self.unsaid)
        #expect(work.hintChanged(hint).isEmpty)
        #expect(work.deadlineReached(now: 99).isEmpty)
        #expect(work.deadlineReached(now: 100) == ["backup"])
    }

    @Test func `is begun where no hint comes, and at once where a policy waits for none`() {
        var hint = NetworkHint()
        _ = hint.restart()
        var work = DeferredWork<String>(policy: TrafficPolicy(longestUnknown: 100))
        _ = work.hintChanged(hint)
        _ = work.submit("backup", as: .maintenance, now: 0)
        #expect(work.deadlineReached(now: 99).isEmpty)
        #expect(work.deadlineReached(now: 100) == ["backup"])
        var impatient = DeferredWork<String>(policy: TrafficPolicy(longestUnknown: 0))
        _ = impatient.hintChanged(hint)
        #expect(impatient.submit("backup", as: .maintenance, now: 0) == .begin)
    }

    @Test func `never waits where nothing is put off`() {
        var work = DeferredWork<Int>(policy: TrafficPolicy(longestDeferral: 0))
        _ = work.costChanged(Self.frugal)
        #expect(work.submit(1, as: .maintenance, now: 0) == .begin)
    }
}
