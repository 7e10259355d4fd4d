import BelayWire
import Testing

/// What only the assembler does by itself; `MessageDecoderTests` has the table of faults.
@Suite struct `The message assembler` {
    @Test func `hands a compressed text on without judging its bytes`() throws {
        var assembler = MessageAssembler()
        let first = Frame(.text, [0xFF], isFinal: false, isCompressed: true)
        let none = try assembler.append(first)
        #expect(none == nil)
        let whole = AssembledMessage(kind: .text, payload: [0xFF, 0xC0], isCompressed: true)
        let element = try assembler.append(Frame(.continuation, [0xC0]))
        #expect(element == .message(whole))
    }

    @Test func `judges an uncompressed text after a compressed one`() throws {
        var assembler = MessageAssembler()
        _ = try assembler.append(Frame(.text, [0xFF], isCompressed: true))
        #expect(throws: WebSocketViolation(.textNotUTF8, offset: 7)) {
            try assembler.append(Frame(.text, [0xFF]), at: 7)
        }
    }

    @Test func `starts every message anew`() throws {
        var assembler = MessageAssembler(limits: WebSocketLimits(messageBytes: 125, fragments: 2))
        let half = Frame(.text, [UInt8](repeating: 0x61, count: 60), isFinal: false)
        let rest = Frame(.continuation, [UInt8](repeating: 0x61, count: 60))
        for _ in 0..<3 {
            let none = try assembler.append(half)
            #expect(none == nil)
            let element = try assembler.append(rest)
            #expect(element != nil)
        }
    }

    @Test func `takes as many fragments as conformance tests send`() throws {
        var assembler = MessageAssembler()
        var element = try assembler.append(Frame(.binary, [0], isFinal: false))
        for _ in 0..<70_000 {
            element = try assembler.append(Frame(.continuation, [0], isFinal: false))
        }
        #expect(element == nil)
        element = try assembler.append(Frame(.continuation))
        guard case .message(let message) = element else {
            Issue.record("no message")
            return
        }
        #expect(message.payload.count == 70_001)
    }

    // E12 of the public bug reports.
    @Test(arguments: [0, 1])
    func `ends a message of tiny fragments at the default limit`(_ byteCount: Int) throws {
        var assembler = MessageAssembler()
        let fragment = Frame(
            .continuation, [UInt8](repeating: 0, count: byteCount), isFinal: false)
        _ = try assembler.append(Frame(.binary, isFinal: false))
        for _ in 1..<WebSocketLimits.default.fragments { _ = try assembler.append(fragment) }
        #expect(throws: WebSocketViolation(.tooManyFragments(maximum: 131_072), offset: 0)) {
            try assembler.append(fragment)
        }
    }
}
