import BelayCore
import BelayTesting
import Testing

private func waits(_ backoff: Backoff, count: Int, _ chance: ExtremeChance) -> [Milliseconds] {
    var backoff = backoff
    var chance = chance
    return (0..<count).map { _ in backoff.failed(using: &chance) }
}

@Suite struct `A backoff` {
    @Test func `doubles its longest wait up to the cap`() {
        #expect(
            waits(Backoff(), count: 8, .greatest)
                == [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
    }

    @Test func `never waits less than its floor`() {
        #expect(waits(Backoff(), count: 8, .least) == Array(repeating: 250, count: 8))
    }

    @Test func `still draws its waits at the cap`() {
        var backoff = Backoff()
        var chance = SeededGenerator(seed: 1)
        for _ in 0..<20 { _ = backoff.failed(using: &chance) }
        let waits = (0..<1_000).map { _ in backoff.failed(using: &chance) }
        #expect(waits.allSatisfy { 250...30_000 ~= $0 })
        // Uniform: each quarter of the range holds about a quarter of the draws.
        let quarters = Dictionary(grouping: waits) { ($0 - 250) * 4 / 29_751 }
        #expect(quarters.count == 4)
        #expect(quarters.values.allSatisfy { 190...310 ~= $0.count })
    }

    @Test func `draws the same waits from the same seed`() {
        func waits(_ seed: UInt64) -> [Milliseconds] {
            var backoff = Backoff()
            var chance = SeededGenerator(seed: seed)
            return (0..<50).map { _ in backoff.failed(using: &chance) }
        }
        #expect(waits(42) == waits(42))
        #expect(waits(42) != waits(43))
    }

    @Test func `begins anew once a connection proved itself`() {
        var backoff = Backoff()
        var chance = ExtremeChance.greatest
        for _ in 0..<5 { _ = backoff.failed(using: &chance) }
        #expect(backoff.failures == 5)
        backoff.proven()
        #expect(backoff.failures == 0)
        #expect(backoff.ceiling == 1_000)
    }

    @Test func `does not overflow after any number of failures`() {
        let policy = BackoffPolicy(floor: 1, base: 3, cap: .max)
        var backoff = Backoff(policy: policy)
        var chance = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            #expect(1...backoff.ceiling ~= backoff.failed(using: &chance))
        }
        #expect(backoff.ceiling == .max)
    }
}

@Suite struct `A server's reconnection time` {
    struct Case: CustomTestStringConvertible {
        let asked: Milliseconds
        let longest: [Milliseconds]
        var testDescription: String { "retry: \(asked)" }
    }

    // E11
    @Test(arguments: [
        Case(asked: 3_000, longest: [3_000, 6_000, 12_000, 24_000, 30_000]),
        Case(asked: 60_000, longest: [60_000, 60_000, 60_000, 60_000, 60_000]),
        Case(asked: .max, longest: Array(repeating: 3_600_000, count: 5)),
    ])
    func `is where waits start from, up to a limit`(_ test: Case) {
        var backoff = Backoff()
        backoff.setBase(test.asked)
        #expect(waits(backoff, count: 5, .greatest) == test.longest)
    }

    // E11
    @Test(arguments: [0, -1, 250, .min] as [Milliseconds])
    func `cannot make waits so short that they neither grow nor spread`(_ asked: Milliseconds) {
        var backoff = Backoff()
        backoff.setBase(asked)
        #expect(waits(backoff, count: 5, .greatest) == [250, 500, 1_000, 2_000, 4_000])
    }

    @Test func `is limited, but never below the floor`() {
        var backoff = Backoff(policy: BackoffPolicy(serverLimit: 0))
        backoff.setBase(9_000)
        #expect(waits(backoff, count: 3, .greatest) == [250, 500, 1_000])
    }
}

@Suite struct `A fleet behind a restarted server` {
    @Test func `comes back spread out, also at the cap`() {
        // 1,000 clients at the cap: no tenth of the window gets more than twice its share.
        var arrivals: [Milliseconds: Int] = [:]
        for seed in 0..<1_000 as Range<UInt64> {
            var backoff = Backoff()
            var chance = SeededGenerator(seed: seed)
            for _ in 0..<9 { _ = backoff.failed(using: &chance) }
            arrivals[backoff.failed(using: &chance) / 3_000, default: 0] += 1
        }
        #expect(arrivals.count >= 10)
        #expect(arrivals.values.allSatisfy { $0 <= 200 })
    }
}
