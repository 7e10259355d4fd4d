import Testing

@testable import BelayTCP

@Suite struct `Outstanding pings` {
    @Test func `are told apart by number and by connection`() {  // W19
        var pings = OutstandingPings(mark: 0xA1B2_C3D4)
        let first = pings.payload(for: 1)
        #expect(first == [0, 0, 0, 1, 0xA1, 0xB2, 0xC3, 0xD4])
        #expect(pings.number(answeredBy: first) == 1)
        #expect(pings.number(answeredBy: first) == nil)
    }

    @Test(
        arguments: [
            [], [0, 0, 0, 1], [0, 0, 0, 1, 0, 0, 0, 8], [0, 0, 0, 2, 0, 0, 0, 7],
            [0, 0, 0, 0, 0, 0, 0, 7, 7],
        ] as [[UInt8]])
    func `are not answered by another payload`(_ payload: [UInt8]) {
        var pings = OutstandingPings(mark: 7)
        _ = pings.payload(for: 1)
        #expect(pings.number(answeredBy: payload) == nil)
    }

    @Test func `may be passed over by the pong of a newer one`() {
        var pings = OutstandingPings(mark: 7)
        let payloads = (1...3).map { pings.payload(for: $0) }
        #expect(pings.number(answeredBy: payloads[1]) == 2)
        #expect(pings.number(answeredBy: payloads[0]) == nil)
        #expect(pings.number(answeredBy: payloads[2]) == 3)
    }

    @Test func `are none before the first`() {
        var pings = OutstandingPings(mark: 0)
        #expect(pings.number(answeredBy: [UInt8](repeating: 0, count: 8)) == nil)
    }
}
