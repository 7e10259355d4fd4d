import BelayCore
import Testing

@Suite struct `Generation numbers` {
    @Test func `the next is greater than all before it`() {
        #expect(Generation.zero < Generation.zero.next)
        #expect(Generation(7).next == Generation(8))
    }

    @Test func `is written as evidence writes it`() {
        #expect(Generation(3).description == "g3")
    }
}
