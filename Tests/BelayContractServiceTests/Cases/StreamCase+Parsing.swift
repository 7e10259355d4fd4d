/// Fields, blocks and sizes. The public harness has the same names.
/// Source: sse-contract-tests, "basic parsing", "BOM" and "comments".
extension StreamCase {
    static let parsing = [
        StreamCase(
            "one-line message in one chunk", "data: Hello\n\n", told: [.event("Hello")]),
        StreamCase(
            "one-line message in two chunks", "data: Hel", "lo\n\n", told: [.event("Hello")]),
        StreamCase(
            "chunks that end within and behind an event", "data: test", "test\n\ndata:",
            "test\n\n", told: [.event("testtest"), .event("test")]),
        StreamCase(
            "two one-line messages in one chunk", "data: Hello\n\ndata: World\n\n",
            told: [.event("Hello"), .event("World")]),
        StreamCase(
            "one two-line message in one chunk", "data: Hello\ndata:World\n\n",
            told: [.event("Hello\nWorld")]),
        StreamCase("empty data", "data:\n\n", told: [.event("")]),
        StreamCase(
            "event with specific type", "event: greeting\ndata: Hello\n\n",
            told: [.event("Hello", type: "greeting")]),
        StreamCase("default event type", "data: Hello\n\n", told: [.event("Hello")]),
        StreamCase("event with ID", "id: abc\ndata: Hello\n\n", told: [.event("Hello", id: "abc")]),
        StreamCase(
            "event with type and ID", "event: greeting\nid: abc\ndata: Hello\n\n",
            told: [.event("Hello", type: "greeting", id: "abc")]),
        StreamCase(
            "ID field is ignored if it contains a null", "id: a\0bc\ndata: Hello\n\n",
            told: [.event("Hello")]),
        StreamCase(
            "last ID persists if not overridden by later event", "id: abc\ndata: first\n\n",
            "data: second\n\n", told: [.event("first", id: "abc"), .event("second", id: "abc")]),
        StreamCase(
            "last ID can be overridden by an empty value", "id: abc\ndata: first\n\n",
            "id: \ndata: second\n\n", told: [.event("first", id: "abc"), .event("second")]),
        StreamCase(
            "fields in reverse order", "data: Hello\nid: abc\nevent: greeting\n\n",
            told: [.event("Hello", type: "greeting", id: "abc")]),
        StreamCase(
            "unknown field is ignored", "event: greeting\ncolor: blue\ndata: Hello\n\n",
            told: [.event("Hello", type: "greeting")]),
        StreamCase(
            "fields without leading space", "event:greeting\ndata:Hello\n\n",
            told: [.event("Hello", type: "greeting")]),
        StreamCase(
            "fields with extra leading space", "event:  greeting\ndata:  Hello\n\n",
            told: [.event(" Hello", type: " greeting")]),
        StreamCase(
            "field with no colon", "data\n\ndata\ndata\n\n", told: [.event(""), .event("\n")]),
        StreamCase("multi-byte characters", "data: €豆腐\n\n", told: [.event("€豆腐")]),
        StreamCase(
            "multi-byte characters sent in single-byte pieces", "data: €豆腐\n\n",
            inPiecesOf: 1, told: [.event("€豆腐")]),
        StreamCase(
            "many messages in rapid succession",
            (0..<100).map { "data: message \($0)\n\n" }.joined(), inPiecesOf: nil,
            told: (0..<100).map { .event("message \($0)") }),
        StreamCase(
            "large message in one chunk", "data: \(long)\n\n", told: [.event(long)]),
        StreamCase(
            "large message in two chunks", "data: \(long)", "\(long)\n\n",
            told: [.event(long + long)]),
    ]

    /// 5 MiB, and no two neighbours alike.
    private static let long = String(
        String(repeating: "0123456789abcdefghijklmnopqrstuvwxyz-", count: 142_000).prefix(5 << 20))

    /// Lengths of data around the buffers that clients have.
    static let sizes = [
        1, 128, 512, 1_023, 1_024, 1_025, 2_048, 3_999, 4_094, 4_096, 4_098, 6_144, 8_189, 8_192,
        8_195, 12_288, 16_384, 32_768, 65_536, 262_144, 1_048_576,
    ].map { size in
        let data = String(repeating: "x", count: size)
        return StreamCase("\(size) bytes", "data: \(data)\n\n", told: [.event(data)])
    }

    static let comments = [
        StreamCase("single comment", ":Hello\n", told: [.comment("Hello")]),
        StreamCase(
            "two comments in a row", ":Hello\n", ":World\n",
            told: [.comment("Hello"), .comment("World")]),
        StreamCase(
            "comment before event", ":Hello\n", "data: Hello\n\n",
            told: [.comment("Hello"), .event("Hello")]),
        StreamCase(
            "comment after event", "data: Hello\n\n", ":Hello\n",
            told: [.event("Hello"), .comment("Hello")]),
    ]

    private static let mark = "\u{FEFF}"

    static let byteOrderMarks = [
        StreamCase("at start of stream", mark + "data: Hello\n\n", told: [.event("Hello")]),
        StreamCase(
            "before first event with type and ID",
            mark + "event: greeting\nid: abc\ndata: Hello\n\n",
            told: [.event("Hello", type: "greeting", id: "abc")]),
        StreamCase(
            "with multiple messages", mark + "data: First\n\ndata: Second\n\n",
            told: [.event("First"), .event("Second")]),
        StreamCase(
            "not from later data", "data: First\n\n", "data: \(mark)Second\n\n",
            told: [.event("First"), .event("\(mark)Second")]),
        StreamCase(
            "split across first two chunks",
            [[0xEF, 0xBB], [0xBF] + Array("data: Hello\n\n".utf8)], [.event("Hello")]),
        StreamCase(
            "split byte by byte across chunks",
            [[0xEF], [0xBB], [0xBF], Array("data: Hello\n\n".utf8)], [.event("Hello")]),
        StreamCase(
            "only first is stripped", mark + "data: \(mark)Hello\n\n",
            told: [.event("\(mark)Hello")]),
        StreamCase("none", "data: Hello\n\n", told: [.event("Hello")]),
        StreamCase(
            "with multi-line data", mark + "data: Line1\ndata: Line2\n\n",
            told: [.event("Line1\nLine2")]),
        StreamCase(
            "with comment at start", mark + ":comment\ndata: Hello\n\n",
            told: [.comment("comment"), .event("Hello")]),
        StreamCase("does not affect empty data field", mark + "data:\n\n", told: [.event("")]),
    ]
}
