import Testing

/// What a stream says arrives as the standard has it, whatever the pieces.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `A client behind the service protocol` {
    @Test(arguments: StreamCase.parsing)
    func `reads fields and blocks`(_ test: StreamCase) async throws { try await test.run() }

    @Test(arguments: StreamCase.byteOrderMarks)
    func `drops a byte order mark where it begins the stream`(_ test: StreamCase) async throws {
        try await test.run()
    }

    @Test(arguments: StreamCase.comments)
    func `tells comments, in order with events`(_ test: StreamCase) async throws {
        try await test.run()
    }

    @Test(arguments: StreamCase.lines)
    func `ends lines by CR, LF and CRLF`(_ test: StreamCase) async throws { try await test.run() }

    @Test(arguments: StreamCase.sizes)
    func `gets data of any length at once`(_ test: StreamCase) async throws {
        try await test.run()
    }

    // What the public harness does not cover.

    @Test(arguments: StreamCase.malformed)
    func `goes on behind what is not UTF-8`(_ test: StreamCase) async throws {
        try await test.run()
    }

    @Test func `is not told of a type to which nobody listens`() async throws {
        try await Contract.run { contract in
            let connection = try await contract.connection()
            await connection.send("event: other\nid: 1\ndata: a\n\nid: 2\ndata: b\n\n")
            #expect(try await contract.told() == .event("b", id: "2"))
        }
    }

    @Test func `ends for good by a line that is longer than its limit`() async throws {
        try await Contract.run { contract in
            let connection = try await contract.connection()
            await connection.send("id: 1\ndata: a\n\ndata: ")
            #expect(try await contract.told() == .event("a", id: "1"))
            await connection.send([UInt8](repeating: UInt8(ascii: "x"), count: 17 << 20))
            #expect(try await contract.error() == "limitExceeded")
            // It would come again as long.
            try await contract.isOver(after: 1)
        }
    }
}

extension StreamCase {
    private static let field = Array("data: a".utf8)
    private static let rest = Array("b\n\ndata: next\n\n".utf8)
    private static let told = [Told.event("a\u{FFFD}b"), .event("next")]

    static let malformed = [
        StreamCase("a byte that begins nothing", [field + [0xFF] + rest], told),
        StreamCase("at the end of a chunk", [field + [0xFF], rest], told),
        StreamCase("a character without its end", [field + [0xE2, 0x82] + rest], told),
        StreamCase("whose end never comes in the next chunk", [field + [0xE2, 0x82], rest], told),
        StreamCase(
            "in a comment", [[0x3A, 0xC3, 0x0A] + rest], [.comment("\u{FFFD}"), .event("next")]),
    ]
}
