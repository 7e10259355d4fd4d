import BelayCore
import Testing

@Suite struct `The evidence of a connection` {
    // W22
    @Test func `has no place for a payload, a token or an address`() {
        let record = ConnectionRecord(
            at: 100, input: .ended(Generation(1), .peerClosed(code: 1_001)), verdict: .accepted,
            generation: Generation(1), before: .open(Generation(1)), after: .waiting(until: 900),
            end: CloseFacts(
                generation: Generation(1), cause: .peerClosed(code: 1_001), age: 90,
                frames: CloseFrames(
                    received: CloseFrames.Received(code: 1_001, reasonLength: 3), sentCode: 1_001)),
            byteCount: 7)
        let leaves = leafTypes(of: record)
        #expect(leaves.contains("Int64") && leaves.contains("UInt16"))
        #expect(leaves.isDisjoint(with: ["String", "Substring", "UInt8", "Character"]))
        #expect(
            Mirror(reflecting: record).children.compactMap(\.label) == [
                "at", "input", "verdict", "generation", "before", "after", "end",
                "roundTrip", "byteCount",
            ])
    }

    /// The types of everything that a value holds and that holds nothing itself.
    private func leafTypes(of value: Any) -> Set<String> {
        let children = Mirror(reflecting: value).children
        guard !children.isEmpty else { return ["\(type(of: value))"] }
        return children.reduce(into: []) { $0.formUnion(leafTypes(of: $1.value)) }
    }
}
