import BelayWire
import Testing

/// Every vector, in every chunking that its size allows.
///
/// The large ones are there for time and limits: of them only splits around the given chunks'
/// boundaries and at a few other places are tried, or this suite would take minutes.
@Suite struct `The event stream vectors` {
    /// Up to here every split is tried.
    static let smallBytes = 1024

    // E11
    @Test(arguments: try EventStreamVector.load(), EventStreamForm.allCases)
    func `hold as they are given`(
        _ vector: EventStreamVector, _ form: EventStreamForm
    ) {
        #expect(Self.outcome(of: vector.bytes, vector, form) == vector.outcome)
    }

    // E1, E11
    @Test(arguments: try EventStreamVector.load(), EventStreamForm.allCases)
    func `hold in one chunk, byte by byte and at every split`(
        _ vector: EventStreamVector, _ form: EventStreamForm
    ) {
        let bytes = Array(vector.bytes.joined())
        let chunkings =
            [Chunking.whole(bytes)]
            + (bytes.count <= 64 << 10 ? [Chunking.byteByByte(bytes)] : [])
            + Chunking.splits(of: bytes, at: Self.places(in: vector))
        let disagreements = disagreements(among: chunkings, with: vector.outcome) {
            Self.outcome(of: $0, vector, form)
        }
        #expect(disagreements == [])
    }

    // E1, E3
    @Test(arguments: try EventStreamVector.load(), EventStreamForm.allCases)
    func `hold with the beginning of another event behind them`(
        _ vector: EventStreamVector, _ form: EventStreamForm
    ) {
        let followed = vector.bytes + [[UInt8]("id: trailing\ndata: half")]
        #expect(Self.outcome(of: followed, vector, form) == vector.outcome)
    }

    private static func outcome(
        of chunks: [[UInt8]], _ vector: EventStreamVector, _ form: EventStreamForm
    ) -> EventStreamVector.Outcome {
        EventStreamVector.Outcome(of: chunks, form, lastEventID: vector.initialLastEventId ?? "")
    }

    private static func places(in vector: EventStreamVector) -> [Int] {
        let count = vector.bytes.reduce(0) { $0 + $1.count }
        if count <= smallBytes { return Array(0...count) }
        var boundaries = [0]
        for chunk in vector.bytes.prefix(8) {
            boundaries.append(boundaries[boundaries.count - 1] + chunk.count)
        }
        let near = boundaries.flatMap { [$0 - 1, $0, $0 + 1] } + [count - 2, count - 1]
        let spread = stride(from: 0, to: count, by: count / 8)
        return Array(Set(near + spread).filter { (0...count).contains($0) }).sorted()
    }
}
