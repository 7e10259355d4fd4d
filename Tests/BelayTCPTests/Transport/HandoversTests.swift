import Testing

@testable import BelayTCP

@Suite struct `Bytes handed over` {
    @Test func `are reported when the last byte is given, in order and once`() {
        var handovers = Handovers()
        handovers.append(.message(1), endingAt: 10)
        handovers.append(.ping(1), endingAt: 20)
        handovers.append(.message(2), endingAt: 30)
        #expect(handovers.next(given: 9) == nil)
        #expect(handovers.next(given: 10) == .message(1))
        #expect(handovers.next(given: 10) == nil)
        handovers.append(.message(3), endingAt: 31)
        #expect(handovers.next(given: 31) == .ping(1))
        #expect(handovers.next(given: 31) == .message(2))
        #expect(handovers.next(given: 31) == .message(3))
        #expect(handovers.next(given: .max) == nil)
    }
}
