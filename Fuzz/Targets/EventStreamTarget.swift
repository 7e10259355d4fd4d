import BelayWire

/// Event streams, against a second implementation that follows the text of the standard.
enum EventStreamTarget: FuzzTarget {
    static let name = "events"

    static let seeds: [[UInt8]] = [
        FuzzInput.seed("data: hello\n\n"),
        FuzzInput.seed("\u{FEFF}id: 1\r\nevent: add\r\ndata: a\r\ndata: b\r\n\r\nid: 2\r\n\r\n"),
        FuzzInput.seed(
            ": comment\nretry: 1500\nretry: 99999999999999999999\ndata\n\ndata\ndata\n\n"),
        FuzzInput.seed(
            "id\n\nid: a\u{0}b\ndata:  x\n\nunknown: y\ndata:z\r\rdata", cutBy: [1, 0, 5]),
        FuzzInput.seed("data: " + String(repeating: "0123456789", count: 7) + "\n\n", settings: 1),
        FuzzInput.seed(String(repeating: "data: 0123456789\n", count: 7), settings: 2),
        FuzzInput.seed([0xEF, 0xBB, 0x64, 0x61, 0x74, 0x61, 0x3A, 0xE2, 0x82, 0x0A, 0xFF, 0x0A]),
    ]

    private struct Outcome: Equatable {
        var elements: [EventStreamElement] = []
        var lastEventID = ""
        var error: EventStreamError?
    }

    static func judge(_ input: [UInt8]) {
        let input = FuzzInput(input)
        let limits = input.choice(
            0,
            (
                EventStreamLimits(), EventStreamLimits(lineBytes: 64),
                EventStreamLimits(eventBytes: 64), EventStreamLimits(pendingBytes: 80, idBytes: 64)
            ))
        let whole = outcome(of: [input.bytes], limits)
        for chunks in input.chunkings {
            agree(outcome(of: chunks, limits), whole, "events depend on the chunking")
            agree(outcome(of: chunks, limits, isLent: true), whole, "lent elements are others")
        }
        let plain = PlainEventStream(of: input.bytes, lastEventID: "seed")
        if whole.error == nil {
            agree(whole.elements, plain.elements, "the standard reads otherwise")
            agree(whole.lastEventID, plain.lastEventID, "the standard has another cursor")
        } else {
            hold(plain.elements.starts(with: whole.elements), "the standard reads otherwise")
        }
        checkEncoding(of: input)
    }

    private static func outcome(
        of chunks: [[UInt8]], _ limits: EventStreamLimits, isLent: Bool = false
    ) -> Outcome {
        var parser = EventStreamParser(lastEventID: "seed", limits: limits)
        var outcome = Outcome()
        for chunk in chunks {
            let before = outcome.elements.count
            do throws(EventStreamError) {
                if isLent {
                    try parser.append(chunk.span.bytes) { outcome.elements.append(copy(of: $0)) }
                } else {
                    try parser.append(chunk, into: &outcome.elements)
                }
                hold(outcome.error == nil, "a spent parser reads on")
            } catch {
                agree(outcome.error ?? error, error, "a spent parser changes its mind")
                hold(outcome.error == nil || outcome.elements.count == before, "a spent parser")
                outcome.error = error
            }
        }
        outcome.lastEventID = parser.lastEventID
        return outcome
    }

    /// An element of its own, by the standard library's judgement of UTF-8.
    private static func copy(of element: borrowing BorrowedEventStreamElement)
        -> EventStreamElement
    {
        func text(_ bytes: RawSpan) -> String {
            bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
        switch element {
        case .event(let type, let data, let lastEventID, let carriesID):
            let id = text(lastEventID)
            return .event(
                ServerSentEvent(
                    type: type.isEmpty ? "message" : text(type), data: text(data),
                    lastEventID: id, carriesID: carriesID))
        case .lastEventID(let id): return .lastEventID(text(id))
        case .reconnectionTime(let time): return .reconnectionTime(time)
        case .comment(let bytes): return .comment(text(bytes))
        }
    }

    /// What the writer writes is read back, but for line ends, which all become LF.
    private static func checkEncoding(of input: FuzzInput) {
        let parts = input.chunkings[0].map { String(decoding: $0, as: UTF8.self) }
        let data = String(decoding: input.bytes, as: UTF8.self)
        let (id, type) = (parts.first, parts.count > 1 ? parts[1] : nil)
        var written: [UInt8] = []
        guard (try? EventStreamWriter.append(data: data, type: type, id: id, to: &written)) != nil
        else { return }
        let read = outcome(of: [written], .default)
        let lines = PlainEventStream.lines(of: data) + [PlainEventStream.unfinishedLine(of: data)]
        let expected = ServerSentEvent(
            type: type.map { $0.utf8.isEmpty ? "message" : $0 } ?? "message",
            data: lines.joined(separator: "\n"), lastEventID: id ?? "seed", carriesID: id != nil)
        agree(read.elements, [.event(expected)], "a written event is read otherwise")
    }
}
