import BelayWire
import Testing

@Suite struct `The frame encoder` {
    struct Case: CustomTestStringConvertible, Sendable {
        let frame: Frame
        var key: MaskingKey?
        let hex: String
        var testDescription: String { hex }
    }

    static let key = MaskingKey(0x37, 0xFA, 0x21, 0x3D)

    @Test(arguments: [
        Case(frame: Frame(.text, [UInt8]("Hello")), hex: "8105 48656c6c6f"),
        Case(frame: Frame(.text, [UInt8]("Hello")), key: key, hex: "8185 37fa213d 7f9f4d5158"),
        Case(frame: Frame(.text, [UInt8]("Hel"), isFinal: false), hex: "0103 48656c"),
        Case(frame: Frame(.continuation, [UInt8]("lo")), hex: "8002 6c6f"),
        Case(frame: Frame(.ping), hex: "8900"),
        Case(frame: Frame(.close, [0x03, 0xE8]), hex: "8802 03e8"),
        Case(frame: Frame(.binary, [0], isCompressed: true), hex: "c201 00"),
    ])
    func `writes the bytes of RFC 6455 §5.7`(_ test: Case) {
        var bytes: [UInt8] = [0xEE]
        FrameEncoder.append(test.frame, maskedWith: test.key, to: &bytes)
        #expect(bytes == [0xEE] + [UInt8](hex: test.hex))
    }

    struct Length: CustomTestStringConvertible, Sendable {
        let count: Int
        let header: String
        var testDescription: String { "\(count)" }
    }

    @Test(arguments: [
        Length(count: 125, header: "827d"), Length(count: 126, header: "827e 007e"),
        Length(count: 65_535, header: "827e ffff"),
        Length(count: 65_536, header: "827f 0000000000010000"),
        Length(count: 65_537, header: "827f 0000000000010001"),
    ])
    func `says a length in the fewest bytes`(_ test: Length) {
        var bytes: [UInt8] = []
        FrameEncoder.append(
            Frame(.binary, [UInt8](repeating: 7, count: test.count)), maskedWith: nil, to: &bytes)
        let header = [UInt8](hex: test.header)
        #expect(Array(bytes.prefix(header.count)) == header)
        #expect(bytes.count == header.count + test.count)
    }
}
