import BelayCore
import Testing

@Suite struct `The evidence of an event` {
    // E17
    @Test func `holds id, result and cursor together`() {
        let record = EventRecord(
            at: 5, generation: Generation(2), id: EventID("3"), result: .failed(attempt: 2),
            cursor: EventID("2"))
        #expect(record.id == EventID("3"))
        #expect(record.result == .failed(attempt: 2))
        #expect(record.cursor == EventID("2"))
        #expect(
            Mirror(reflecting: record).children.compactMap(\.label) == [
                "at", "generation", "id", "result", "cursor", "cannotBeAskedFor",
            ])
    }
}
