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

    @Test func `never waits where nothing is put off`() {
        var work = DeferredWork<Int>(policy: TrafficPolicy(longestDeferral: 0))
        _ = work.costChanged(Self.frugal)
        #expect(work.submit(1, as: .maintenance, now: 0) == .begin)
    }
}
