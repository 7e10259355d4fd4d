import BelayCore
import Testing

@Suite struct `An event id` {
    // E11
    @Test func `is never empty`() {
        #expect(EventID("") == nil)
    }

    // E6
    @Test func `is compared byte by byte`() {
        let composed = "\u{E9}"
        let decomposed = "e\u{301}"
        #expect(composed == decomposed)
        #expect(EventID(composed) != EventID(decomposed))
        #expect(Set([EventID(composed), EventID(decomposed)]).count == 2)
    }

    @Test func `gives back its text`() {
        #expect(EventID("order-7 é")?.text == "order-7 é")
    }
}
