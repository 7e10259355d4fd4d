import Testing

/// One way in which the network may cut the same bytes.
struct Chunking: CustomTestStringConvertible {
    let testDescription: String
    let chunks: [[UInt8]]

    /// Whole, byte by byte, and every split in two, also before the first and after the last byte.
    static func all(of bytes: [UInt8]) -> [Chunking] {
        [whole(bytes), byteByByte(bytes)] + splits(of: bytes, at: 0...bytes.count)
    }

    static func whole(_ bytes: [UInt8]) -> Chunking {
        Chunking(testDescription: "whole", chunks: [bytes])
    }

    static func byteByByte(_ bytes: [UInt8]) -> Chunking {
        Chunking(testDescription: "byte by byte", chunks: bytes.map { [$0] })
    }

    static func splits(of bytes: [UInt8], at places: some Sequence<Int>) -> [Chunking] {
        places.map { place in
            Chunking(
                testDescription: "split at \(place)",
                chunks: [Array(bytes[..<place]), Array(bytes[place...])])
        }
    }
}

/// The chunkings for which `outcome` is not the one expected; empty is what a test wants.
func disagreements<Outcome: Equatable>(
    of bytes: [UInt8], with expected: Outcome, outcome: ([[UInt8]]) -> Outcome
) -> [String] {
    disagreements(among: Chunking.all(of: bytes), with: expected, outcome: outcome)
}

/// The same for chunkings that were chosen.
func disagreements<Outcome: Equatable>(
    among chunkings: [Chunking], with expected: Outcome, outcome: ([[UInt8]]) -> Outcome
) -> [String] {
    chunkings.compactMap { chunking in
        let seen = outcome(chunking.chunks)
        guard seen != expected else { return nil }
        // Cut short: a large vector must not fill the log.
        return String("\(chunking.testDescription): \(seen)".prefix(400))
    }
}
