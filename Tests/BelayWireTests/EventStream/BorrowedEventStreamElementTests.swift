import BelayWire
import Testing

/// What only the borrowed form promises; `EventStreamForm` runs all else over both.
@Suite struct `Borrowed elements of an event stream` {
    @Test func `lie in the chunk when they stand in it whole`() throws {
        let chunk = [UInt8]("id: 7\nevent: add\ndata: abc\n\n")
        var parser = EventStreamParser()
        var places: [Int] = []
        try parser.append(chunk.span.bytes) { element in
            guard case .event(let type, let data, let lastEventID, true) = element else { return }
            places = [
                Self.place(of: lastEventID, in: chunk), Self.place(of: type, in: chunk),
                Self.place(of: data, in: chunk),
            ]
        }
        #expect(places == [4, 13, 23])
    }

    @Test func `have an empty type where the block named none`() throws {
        var parser = EventStreamParser()
        var types: [Int] = []
        try parser.append([UInt8]("data\n\nevent\ndata\n\nevent:a\ndata\n\n").span.bytes) {
            if case .event(let type, _, _, _) = $0 { types.append(type.byteCount) }
        }
        #expect(types == [0, 0, 1])
    }

    @Test func `are bytes as they came, also where they are not UTF-8`() throws {
        var parser = EventStreamParser()
        var data: [UInt8] = []
        try parser.append(([UInt8]("data:") + [0xFF, 0x0A, 0x0A]).span.bytes) {
            if case .event(_, let bytes, _, _) = $0 { data = bytes.withUnsafeBytes(Array.init) }
        }
        #expect(data == [0xFF])
    }

    @Test func `and owned ones may be taken from one parser in turn`() throws {
        var parser = EventStreamParser()
        var elements: [EventStreamElement] = []
        let chunks = ["id: 1\nda", "ta: a\n\nid: 2", "\n\ndata: b\n", "\ndata: c\n\n"]
        for (chunk, form) in zip(chunks, [EventStreamForm.collected, .borrowed, .given, .borrowed])
        {
            try form.append([UInt8](chunk), to: &parser, into: &elements)
        }
        #expect(
            elements == [
                .event(ServerSentEvent(data: "a", id: "1")), .lastEventID("2"),
                .event(.later(data: "b", behind: "2")),
                .event(.later(data: "c", behind: "2")),
            ])
        #expect(parser.lastEventID == "2")
    }

    private static func place(of part: RawSpan, in chunk: [UInt8]) -> Int {
        part.withUnsafeBytes { part in
            chunk.withUnsafeBytes { chunk in
                guard let start = chunk.baseAddress, let place = part.baseAddress else { return -1 }
                return place - start
            }
        }
    }
}
