import BelayWire
import Testing

@Suite struct `Masking keys` {
    static let key = MaskingKey(0x12, 0x34, 0x56, 0x78)

    @Test func `travel in the order in which they were given`() {
        #expect(Self.key.bytes == [0x12, 0x34, 0x56, 0x78])
        #expect(MaskingKey(0x7856_3412) == Self.key)
    }

    @Test(arguments: 0...40)
    func `mask as byte after byte would, from every offset`(_ count: Int) {
        let plain = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for offset in 0..<8 {
            let expected = plain.enumerated().map { $1 ^ Self.key.bytes[($0 + offset) % 4] }
            var masked = plain
            masked.withUnsafeMutableBytes { Self.key.apply(to: $0, at: offset) }
            #expect(masked == expected)
            masked.withUnsafeMutableBytes { Self.key.apply(to: $0, at: offset) }
            #expect(masked == plain)
        }
    }
}
