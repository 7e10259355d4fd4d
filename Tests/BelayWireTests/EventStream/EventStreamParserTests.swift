import BelayWire
import Testing

/// What the vectors cannot say: elements without events, the block's own id, limits, and the end.
@Suite struct `The event stream parser` {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let stream: String
        let elements: [EventStreamElement]

        init(_ name: String, _ stream: String, _ elements: [EventStreamElement]) {
            testDescription = name
            self.stream = stream
            self.elements = elements
        }
    }

    static let cases: [Case] = [
        Case(
            "an event shows the id of its own block", "id: 1\ndata: a\n\n",
            [.event(ServerSentEvent(data: "a", id: "1"))]),
        Case(
            "an event without an id shows the cursor and no id", "id: 1\ndata: a\n\ndata: b\n\n",
            [
                .event(ServerSentEvent(data: "a", id: "1")),
                .event(.later(data: "b", behind: "1")),
            ]),
        Case(
            "an empty id is an id",
            "id\ndata: a\n\n", [.event(ServerSentEvent(data: "a", id: ""))]),
        Case(
            "an id with NUL is no id", "id: a\0b\ndata: a\n\n",
            [.event(ServerSentEvent(data: "a"))]),
        Case("an id without data moves the cursor", "id: 9\n\n", [.lastEventID("9")]),
        Case("an empty id without data moves it too", "id:\n\n", [.lastEventID("")]),
        Case(
            "a priming event has empty data", "id: 123\ndata:\n\n",
            [.event(ServerSentEvent(data: "", id: "123"))]),
        Case("a comment is proof of life at its own line", ": ping\n", [.comment(" ping")]),
        Case(
            "each comment line counts, and is told as it stands behind its colon",
            ":\r::\r\n:data: x\n", [.comment(""), .comment(":"), .comment("data: x")]),
        Case(
            "a comment and a blank line behind an event dispatch nothing",
            "id: 1\ndata: x\n\n: ping\n\n",
            [.event(ServerSentEvent(data: "x", id: "1")), .comment(" ping")]),
        Case(
            "retry holds at its own line, before the event", "event: a\ndata: b\nretry: 1000\n\n",
            [.reconnectionTime(1000), .event(ServerSentEvent(type: "a", data: "b"))]),
        Case("retry is in milliseconds", "retry: 3000\n", [.reconnectionTime(3000)]),
        Case("the greatest retry", "retry: 18446744073709551615\n", [.reconnectionTime(.max)]),
        Case(
            "a greater retry is clamped", "retry: 18446744073709551616\n", [.reconnectionTime(.max)]
        ),
        Case(
            "a far greater retry is clamped", "retry: 1\(String(repeating: "0", count: 400))\n",
            [.reconnectionTime(.max)]),
        Case("a type alone says nothing", "event: x\n\n", []),
        Case(
            "a mark right after the colon does not hide the field",
            "data:\u{0301}x\ndata: \u{200D}\n\n",
            [.event(ServerSentEvent(data: "\u{0301}x\n\u{200D}"))]),
        Case(
            "only CR, LF and CRLF end lines", "data: {\"t\":\"a\u{2028}b\u{85}\u{0B}\"}\n\n",
            [.event(ServerSentEvent(data: "{\"t\":\"a\u{2028}b\u{85}\u{0B}\"}"))]),
    ]

    // E11
    @Test(arguments: cases, EventStreamForm.allCases)
    func `says the same for every chunking`(_ test: Case, _ form: EventStreamForm) {
        #expect(
            disagreements(of: [UInt8](test.stream), with: test.elements) {
                Self.elements(of: $0, form)
            } == [])
    }

    // E3
    @Test func `drops the half event and its id at the end`() throws {
        var parser = EventStreamParser(lastEventID: "1")
        var elements: [EventStreamElement] = []
        try parser.append([UInt8]("id: 2\ndata: half\n"), into: &elements)
        parser.finish()
        #expect(elements == [])
        #expect(parser.lastEventID == "1")
    }

    @Test func `reads another stream after the end, with its byte order mark`() throws {
        var parser = EventStreamParser()
        var elements: [EventStreamElement] = []
        try parser.append([UInt8]("id: 1\ndata: a\n\nid: 2\r"), into: &elements)
        parser.finish()
        try parser.append([UInt8]("\u{FEFF}data: b\n\n"), into: &elements)
        #expect(
            elements == [
                .event(ServerSentEvent(data: "a", id: "1")),
                .event(.later(data: "b", behind: "1")),
            ])
    }

    @Test func `keeps nothing from one parser to another`() throws {
        var first = EventStreamParser()
        var second = EventStreamParser()
        var elements: [EventStreamElement] = []
        try first.append([UInt8]("data: of the first"), into: &elements)
        try second.append([UInt8]("data: of the second\n\n"), into: &elements)
        #expect(elements == [.event(ServerSentEvent(data: "of the second"))])
    }

    @Test func `takes a slice of a buffer`() throws {
        var parser = EventStreamParser()
        var elements: [EventStreamElement] = []
        try parser.append([UInt8]("xxdata: a\n\nxx")[2..<11], into: &elements)
        #expect(elements == [.event(ServerSentEvent(data: "a"))])
    }

    @Test(arguments: [8, 1460, 16 << 10])
    func `reads a line of two megabytes in pieces of any size`(_ pieceBytes: Int) {
        let line = [UInt8]("data: ") + [UInt8](repeating: 0x78, count: 2 << 20)
        let bytes = line + [0x0A, 0x0A]
        let pieces = stride(from: 0, to: bytes.count, by: pieceBytes).map {
            Array(bytes[$0..<min($0 + pieceBytes, bytes.count)])
        }
        guard case .event(let event) = Self.elements(of: pieces, .given).first else {
            Issue.record("no event")
            return
        }
        #expect(event.data.utf8.count == 2 << 20)
    }

    @Test func `reads an event of ten megabytes in two chunks`() throws {
        let bytes = [UInt8]("data: ") + [UInt8](repeating: 0x78, count: 10 << 20) + [0x0A, 0x0A]
        let pieces = [Array(bytes[..<(5 << 20)]), Array(bytes[(5 << 20)...])]
        guard case .event(let event) = Self.elements(of: pieces, .given).first else {
            Issue.record("no event")
            return
        }
        #expect(event.data.utf8.count == 10 << 20)
    }

    private static func elements(
        of chunks: [[UInt8]], _ form: EventStreamForm
    ) -> [EventStreamElement] {
        var parser = EventStreamParser()
        var elements: [EventStreamElement] = []
        for chunk in chunks {
            do {
                try form.append(chunk, to: &parser, into: &elements)
            } catch {
                Issue.record(error)
            }
        }
        return elements
    }
}
