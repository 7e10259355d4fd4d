/// Draws always the least, or always the greatest, of a range.
enum ExtremeChance: RandomNumberGenerator, CaseIterable {
    case least
    case greatest

    mutating func next() -> UInt64 {
        switch self {
        // Not 0: the standard library draws again where the low half of its product is too small.
        case .least: 1 << 32
        case .greatest: .max
        }
    }
}
