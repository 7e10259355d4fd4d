import BelayWire
import Testing

/// Bytes to messages through both machines, as a connection uses them.
@Suite struct `The message decoder` {
    struct Outcome: Equatable, Sendable {
        var elements: [MessageAssembler.Element] = []
        var violation: WebSocketViolation?
        var isClosed = false
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        let outcome: Outcome

        init(_ name: String, _ hex: String, _ elements: [MessageAssembler.Element]) {
            testDescription = name
            bytes = [UInt8](hex: hex)
            outcome = Outcome(elements: elements)
        }

        init(
            _ name: String, _ hex: String, _ fault: WebSocketViolation.Fault, at offset: UInt64,
            after elements: [MessageAssembler.Element] = []
        ) {
            testDescription = name
            bytes = [UInt8](hex: hex)
            outcome = Outcome(
                elements: elements, violation: WebSocketViolation(fault, offset: offset))
        }

        init(_ name: String, _ hex: String, closedAfter elements: [MessageAssembler.Element]) {
            testDescription = name
            bytes = [UInt8](hex: hex)
            outcome = Outcome(elements: elements, isClosed: true)
        }
    }

    static let limits = WebSocketLimits(frameBytes: 200, messageBytes: 150, fragments: 3)
    static let normalClose = MessageAssembler.Element.close(
        CloseFrame(code: .normalClosure) ?? .empty)

    static func text(_ text: String) -> MessageAssembler.Element {
        .message(AssembledMessage(text))
    }

    static let messages: [Case] = [
        Case("a text", "8105 68656c6c6f", [text("hello")]),
        Case("an empty text", "8100", [text("")]),
        Case(
            "a binary message", "8202 00ff",
            [.message(AssembledMessage(kind: .binary, payload: [0, 0xFF]))]),
        Case("fragments", "0101 61 0001 62 8001 63", [text("abc")]),
        Case("empty fragments", "0100 0000 8000", [text("")]),
        Case(
            "a ping and an unsolicited pong between fragments", "0101 61 8901 01 8a00 8001 62",
            [.ping([1]), .pong([]), text("ab")]),
        Case("a scalar over two fragments", "0101 f0 8003 9f9880", [text("\u{1F600}")]),
        Case("a scalar over a ping", "0101 c3 8900 8001 a9", [.ping([]), text("\u{E9}")]),
        Case(
            "bytes that are no UTF-8 in a binary message", "0201 ff 8001 c0",
            [.message(AssembledMessage(kind: .binary, payload: [0xFF, 0xC0]))]),
    ]

    /// Rows E6, E10 and E12 of the public bug reports.
    static let violations: [Case] = [
        Case("an orphan continuation", "8001 61", .continuationWithoutMessage, at: 0),
        Case(
            "a continuation after a whole message", "8101 61 8001 62",
            .continuationWithoutMessage, at: 3, after: [text("a")]),
        Case("a message inside a message", "0101 61 8101 62", .messageInsideMessage, at: 3),
        Case("an overlong form", "8102 c080", .textNotUTF8, at: 0),
        Case("a surrogate", "8103 eda080", .textNotUTF8, at: 0),
        Case("above U+10FFFF", "8104 f4908080", .textNotUTF8, at: 0),
        Case("half a scalar at the end of a message", "8101 c3", .textNotUTF8, at: 0),
        Case("half a scalar at the end of fragments", "0101 c3 8000", .textNotUTF8, at: 3),
        Case("a bad byte before the message is over", "0101 f4 0001 90", .textNotUTF8, at: 3),
        Case("a bad byte before the frame is over", "8105 61ff", .textNotUTF8, at: 0),
        Case(
            "a message over the limit in one frame, at its header", "827e 0097",
            .messageTooLong(maximum: 150), at: 0),
        Case(
            "a message over the limit in fragments, at a header", "0201 00 007e 0096",
            .messageTooLong(maximum: 150), at: 3),
        Case(
            "too many fragments", "0101 61 0001 61 0001 61 0001 61",
            .tooManyFragments(maximum: 3), at: 9),
        Case(
            "too many empty fragments", "0100 0000 0000 8000",
            .tooManyFragments(maximum: 3), at: 6),
        Case(
            "a fault behind a message, which comes first", "8101 61 8300",
            .unknownOpcode(3), at: 3, after: [text("a")]),
        Case(
            "a close with a code that may not be sent", "8101 61 8802 03ed",
            .closeCodeNotAllowed(.noStatusReceived), at: 3, after: [text("a")]),
    ]

    /// Rows F4, F8 and F9 of the public bug reports.
    static let closes: [Case] = [
        Case("a close", "8802 03e8", closedAfter: [normalClose]),
        Case("a close without a code", "8800", closedAfter: [.close(.empty)]),
        Case(
            "a close inside a fragmented message", "0101 61 8802 03e8", closedAfter: [normalClose]),
        Case("data after a close is ignored", "8802 03e8 8101 61 8900", closedAfter: [normalClose]),
        Case("faults after a close are ignored", "8802 03e8 ffff 00", closedAfter: [normalClose]),
        Case("a second close is ignored", "8802 03e8 8802 03e9", closedAfter: [normalClose]),
    ]

    @Test(arguments: messages + violations + closes)
    func `says the same for every chunking`(_ test: Case) {
        let disagreements = disagreements(of: test.bytes, with: test.outcome) {
            Self.outcome(of: $0)
        }
        #expect(disagreements == [])
    }

    @Test(arguments: RandomInput.seeds)
    func `says the same of random frames however they are cut`(_ seed: UInt64) {
        let pieces = [
            "8101 61", "0101 c3", "8001 a9", "0001 61", "0100", "8000", "8900", "8a01 62",
            "8202 ff00", "8102 61ff", "0103 f09f98", "8001 80", "8802 03e8", "8802 03ed", "8800",
            "827e 0097", "01", "81", "00", "ff",
        ].map { [UInt8](hex: $0) }
        let disagreements = RandomInput(seed: seed, pieces: pieces).disagreements {
            Self.outcome(of: $0)
        }
        #expect(disagreements == [])
    }

    @Test func `is between messages where nothing is half there, and only there`() throws {
        let bytes = [UInt8](hex: "0101 61 8901 01 8001 62 8100 8203 010203")
        // Behind both messages that end inside, and at both ends.
        let ends: Set = [0, 9, 11, 16]
        for count in 0...bytes.count {
            var decoder = MessageDecoder(role: .client)
            var elements: [MessageAssembler.Element] = []
            try decoder.append(Array(bytes[..<count]), into: &elements)
            #expect(decoder.isBetweenMessages == ends.contains(count), "after \(count) bytes")
        }
    }

    @Test func `repeats its violation`() {
        var decoder = MessageDecoder(role: .client)
        var elements: [MessageAssembler.Element] = []
        let violation = WebSocketViolation(.textNotUTF8, offset: 0)
        #expect(throws: violation) { try decoder.append([0x81, 0x02, 0xFF], into: &elements) }
        #expect(throws: violation) { try decoder.append([0x61], into: &elements) }
        #expect(elements == [])
    }

    @Test func `judges a text that comes in thousands of pieces once`() throws {
        var decoder = MessageDecoder(role: .client)
        var elements: [MessageAssembler.Element] = []
        try decoder.append([UInt8](hex: "817f 0000000000020000"), into: &elements)
        for _ in 0..<(0x2_0000 / 16) {
            try decoder.append([UInt8]("abcdefg\u{E9}hijk\u{20AC}"), into: &elements)
        }
        guard case .message(let message) = elements.first else {
            Issue.record("no message")
            return
        }
        #expect(message.payload.count == 0x2_0000)
        #expect(message.text.hasPrefix("abcdefg\u{E9}hijk\u{20AC}a"))
    }

    private static func outcome(of chunks: [[UInt8]]) -> Outcome {
        var decoder = MessageDecoder(role: .client, limits: limits)
        var outcome = Outcome()
        for chunk in chunks where outcome.violation == nil {
            do {
                try decoder.append(chunk, into: &outcome.elements)
            } catch {
                outcome.violation = error
            }
        }
        outcome.isClosed = decoder.isClosed
        return outcome
    }
}
