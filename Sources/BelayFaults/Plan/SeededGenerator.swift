/// Chance that repeats: the same seed gives the same numbers (SplitMix64).
///
/// A plan's chance is drawn from one generator for each connection, so that what one connection
/// does leaves the others' numbers alone.
public struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    /// A generator with this seed.
    public init(seed: UInt64) {
        state = seed
    }

    /// The generator of one connection of a plan.
    public init(seed: UInt64, connection: Int) {
        self.init(seed: seed)
        // Neighbouring numbers would give overlapping rows; a step of the generator parts them.
        state = next() ^ UInt64(truncatingIfNeeded: connection) &* 0xD1B5_4A32_D192_ED03
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
