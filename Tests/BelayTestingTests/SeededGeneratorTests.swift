import BelayTesting
import Testing

@Suite struct `Seeded chance` {
    // Source of the numbers: the reference implementation, prng.di.unimi.it/splitmix64.c.
    @Test func `gives the reference numbers of SplitMix64`() {
        var generator = SeededGenerator(seed: 1_234_567)
        #expect(generator.next() == 6_457_827_717_110_365_317)
        #expect(generator.next() == 3_203_168_211_198_807_973)
        #expect(generator.next() == 9_817_491_932_198_370_423)
    }

    @Test func `repeats for the same seed and differs for another`() {
        func draws(_ seed: UInt64) -> [Int] {
            var generator = SeededGenerator(seed: seed)
            return (0..<100).map { _ in Int.random(in: 0..<1_000, using: &generator) }
        }
        #expect(draws(7) == draws(7))
        #expect(draws(7) != draws(8))
    }
}
