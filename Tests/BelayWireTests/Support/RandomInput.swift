/// Inputs nobody thought of: pieces that mean something to a parser, drawn and cut at random.
///
/// A failure is run again by its seed, the test's argument, alone.
struct RandomInput {
    static let seeds: ClosedRange<UInt64> = 1...20
    private static let inputsPerSeed = 60

    let seed: UInt64
    let pieces: [[UInt8]]

    /// The inputs, in hexadecimal, whose outcome differs between one chunk and many.
    func disagreements<Outcome: Equatable>(outcome: ([[UInt8]]) -> Outcome) -> [String] {
        var chance = SplitMix(state: seed)
        return (0..<Self.inputsPerSeed).compactMap { _ in
            let count = Int.random(in: 1...30, using: &chance)
            let bytes = (0..<count).flatMap { _ in pieces.randomElement(using: &chance) ?? [] }
            guard outcome([bytes]) != outcome(cut(bytes, using: &chance)) else { return nil }
            return bytes.map { String($0, radix: 16) }.joined(separator: " ")
        }
    }

    /// Chunks of 0 to a few bytes; how many at most is drawn as well.
    private func cut(_ bytes: [UInt8], using chance: inout SplitMix) -> [[UInt8]] {
        let longest = Int.random(in: 1...12, using: &chance)
        var chunks: [[UInt8]] = []
        var start = 0
        while start < bytes.count {
            let end = min(start + Int.random(in: 0...longest, using: &chance), bytes.count)
            chunks.append(Array(bytes[start..<end]))
            start = end
        }
        return chunks
    }

    /// Chance that repeats. Source: Steele, Lea, Flood: SplitMix64.
    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
            return word ^ word >> 31
        }
    }
}
