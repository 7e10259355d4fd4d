import BelayWire
import Testing

@Suite struct `Close codes` {
    @Test(
        arguments: [
            1000...1003, 1007...1014, 3000...4999,
        ] as [ClosedRange<UInt16>])
    func `that may be sent`(_ codes: ClosedRange<UInt16>) {
        #expect(codes.filter { !CloseCode(rawValue: $0).maySend } == [])
    }

    @Test(
        arguments: [
            0...999, 1004...1006, 1015...2999, 5000...65_535,
        ] as [ClosedRange<UInt16>])
    func `that are never sent`(_ codes: ClosedRange<UInt16>) {
        #expect(codes.filter { CloseCode(rawValue: $0).maySend } == [])
    }

    @Test func `are written as their number`() {
        #expect("\(CloseCode.goingAway)" == "1001")
    }
}
