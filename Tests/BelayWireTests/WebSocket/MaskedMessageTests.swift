import BelayWire
import Testing

@Suite struct `A masked message` {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let input: [UInt8]
        let echo: [UInt8]

        init(_ name: String, _ input: String, _ echo: String) {
            testDescription = name
            self.input = [UInt8](hex: input)
            self.echo = [UInt8](hex: echo)
        }
    }

    @Test(arguments: [
        Case("a text", "8185 01020304 69676f686e", "8105 68656c6c6f"),
        Case("an empty text", "8180 01020304", "8100"),
        Case("a binary message", "8282 01020304 01fd", "8202 00ff"),
        Case("a scalar of four bytes", "8184 00000000 f09f9880", "8104 f09f9880"),
        Case("no more than the first", "8181 00000000 61 8181 00000000 62", "8101 61"),
    ])
    func `is sent on without its mask`(_ test: Case) throws {
        let (output, byteCount) = test.input.withUnsafeBytes { input in
            let message = MessageDecoder(role: .server).wholeMessage(at: input)
            var output: [UInt8] = [0xAA]
            let isRight = message.map { FrameEncoder.append($0, to: &output) }
            return (isRight == true ? output : [], message?.byteCount ?? 0)
        }
        #expect(output == [0xAA] + test.echo)
        #expect(byteCount == 4 + test.echo.count)
    }

    @Test func `is as long as its frame says`() {
        for count in [125, 126, 65_535, 65_536] {
            let payload = [UInt8](repeating: 7, count: count)
            var input: [UInt8] = []
            FrameEncoder.append(
                Frame(.binary, payload), maskedWith: MaskingKey(1, 2, 3, 4), to: &input)
            var expected: [UInt8] = []
            FrameEncoder.append(Frame(.binary, payload), maskedWith: nil, to: &expected)
            #expect(Self.echo(input) == expected)
        }
    }

    @Test(arguments: [
        "", "81", "8185 0102", "8185 01020304 69676f68",  // A part.
        "0181 00000000 61", "8081 00000000 61",  // Fragments.
        "8980 00000000", "8a80 00000000", "8880 00000000",  // Control frames.
        "c181 00000000 61", "8101 61", "8381 00000000 61",  // Violations.
    ])
    func `is nothing else`(_ hex: String) {
        #expect(Self.echo([UInt8](hex: hex)) == nil)
    }

    @Test func `is none over the limit of a message`() {
        let input: [UInt8] = [0x82, 0xFE, 0, 126, 0, 0, 0, 0] + [UInt8](repeating: 7, count: 126)
        let limits = WebSocketLimits(messageBytes: 125)
        let isMessage = input.withUnsafeBytes { input in
            MessageDecoder(role: .server, limits: limits).wholeMessage(at: input) != nil
        }
        #expect(!isMessage)
    }

    @Test(arguments: ["0181 00000000 61", "8182 00000000 61", "81", "8880 00000000"])
    func `is none behind what is half there, or behind a Close`(_ hex: String) throws {
        var decoder = MessageDecoder(role: .server)
        var elements: [MessageAssembler.Element] = []
        try decoder.append([UInt8](hex: hex), into: &elements)
        let message = [UInt8](hex: "8181 00000000 61").withUnsafeBytes { input in
            decoder.wholeMessage(at: input) != nil
        }
        #expect(!message)
    }

    @Test(arguments: ["8181 00000000 ff", "8182 00000000 61c3"])
    func `leaves nothing of a text that is not UTF-8`(_ hex: String) {
        let (isRight, output) = [UInt8](hex: hex).withUnsafeBytes { input in
            var output: [UInt8] = [0xAA]
            let message = MessageDecoder(role: .server).wholeMessage(at: input)
            return (message.map { FrameEncoder.append($0, to: &output) }, output)
        }
        #expect(isRight == false)
        #expect(output == [0xAA])
    }

    private static func echo(_ input: [UInt8]) -> [UInt8]? {
        input.withUnsafeBytes { input in
            let limits = WebSocketLimits(messageBytes: 65_536)
            let decoder = MessageDecoder(role: .server, limits: limits)
            guard let message = decoder.wholeMessage(at: input) else { return nil }
            var output: [UInt8] = []
            return FrameEncoder.append(message, to: &output) ? output : nil
        }
    }
}
