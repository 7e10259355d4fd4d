import Testing

@testable import BelayWire

@Suite struct `An IP address` {
    @Test(
        arguments: [
            [10, 0, 0, 1],
            [0x20, 0x01, 0x0D, 0xB8, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
        ] as [[UInt8]])
    func `keeps its bytes`(_ bytes: [UInt8]) {
        let address = IPAddress(bytes.span.bytes)
        #expect(address?.bytes == bytes)
        #expect(address?.family.byteCount == bytes.count)
    }

    @Test func `is the same from bytes as written out`() {
        let v4: [UInt8] = [192, 0, 2, 9]
        #expect(IPAddress(v4.span.bytes) == .v4(192, 0, 2, 9))
        let v6: [UInt8] = [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [5]
        #expect(IPAddress(v6.span.bytes) == .v6(0xFE80 << 48, 5))
    }

    @Test(arguments: [0, 3, 5, 15, 17])
    func `has four bytes or sixteen`(_ count: Int) {
        #expect(IPAddress([UInt8](repeating: 1, count: count).span.bytes) == nil)
    }

    @Test(
        arguments: [
            (.v4(127, 0, 0, 1), .machine), (.v4(127, 255, 0, 0), .machine),
            (.v4(128, 0, 0, 1), .beyond), (.v4(169, 254, 0, 1), .link),
            (.v4(169, 253, 255, 255), .beyond), (.v4(10, 0, 0, 1), .beyond),
            (.v6(0, 1), .machine), (.v6(0, 2), .beyond), (.v6(1, 1), .beyond),
            (.v6(0xFE80 << 48, 1), .link), (.v6(0xFEBF << 48 | 7, 1), .link),
            (.v6(0xFEC0 << 48, 1), .beyond), (.v6(0, 0xFE80), .beyond),
        ] as [(IPAddress, IPAddress.Reach)])
    func `knows how far away it means something`(_ address: IPAddress, _ reach: IPAddress.Reach) {
        #expect(address.reach == reach)
    }
}
