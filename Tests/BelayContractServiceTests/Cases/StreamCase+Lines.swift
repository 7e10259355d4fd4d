/// Every kind of line end, in every chunking of the public harness.
/// Source: sse-contract-tests, "linefeeds".
extension StreamCase {
    static let lines =
        terminators.flatMap { name, end in
            texts(end).flatMap { text, lines, told in
                [("one chunk", nil), ("1-character chunks", 1), ("2-character chunks", 2)]
                    .map { pieces, size in
                        StreamCase(
                            "\(name) separator, \(text), \(pieces)", lines, inPiecesOf: size,
                            told: told)
                    }
            }
        } + [
            StreamCase(
                "CRLF where CR is end of 1 chunk", "data: Hello\r", "\ndata: World\r",
                "\n\r\ndata: OK\r", "\n", "\r", "\n",
                told: [.event("Hello\nWorld"), .event("OK")])
        ]

    private static let terminators: [(String, String)] = [
        ("LF", "\n"), ("CRLF", "\r\n"), ("CR", "\r"),
    ]

    private static func texts(_ end: String) -> [(name: String, text: String, told: [Told])] {
        func lines(_ lines: String...) -> String { lines.map { $0 + end }.joined() }
        return [
            ("one-line event", lines("data: event 1", ""), [.event("event 1")]),
            (
                "one-line event + two-line event",
                lines("data: event 1", "", "data: event 2 line 1", "data: event 2 line 2", ""),
                [.event("event 1"), .event("event 2 line 1\nevent 2 line 2")]
            ),
            (
                "3-line event with empty line at beginning",
                lines("data:", "data: line2", "data: line3", ""), [.event("\nline2\nline3")]
            ),
            (
                "3-line event with empty line in middle",
                lines("data: line1", "data:", "data: line3", ""), [.event("line1\n\nline3")]
            ),
            (
                "ignores 1 extra empty line",
                lines("data: event 1", "", "", "data: event 2", ""),
                [.event("event 1"), .event("event 2")]
            ),
            (
                "ignores 2 extra empty lines",
                lines("data: event 1", "", "", "", "data: event 2", ""),
                [.event("event 1"), .event("event 2")]
            ),
        ]
    }
}
