import BelayWire
import Testing

@Suite struct `The event stream writer` {
    struct Case: CustomTestStringConvertible, Sendable {
        let event: ServerSentEvent
        let text: String
        var testDescription: String { text.debugDescription }

        init(_ event: ServerSentEvent, _ text: String) {
            self.event = event
            self.text = text
        }
    }

    @Test(arguments: [
        Case(ServerSentEvent(data: "queued", id: "1"), "id: 1\ndata: queued\n\n"),
        Case(ServerSentEvent(type: "put", data: "a"), "event: put\ndata: a\n\n"),
        Case(ServerSentEvent(data: ""), "data:\n\n"),
        Case(ServerSentEvent(data: "", id: ""), "id:\ndata:\n\n"),
        Case(ServerSentEvent(data: " a"), "data:  a\n\n"),
        Case(ServerSentEvent(data: "Hello\n"), "data: Hello\ndata:\n\n"),
        Case(ServerSentEvent(data: "a\rb\r\nc\nd"), "data: a\ndata: b\ndata: c\ndata: d\n\n"),
        Case(ServerSentEvent(data: "\r\n"), "data:\ndata:\n\n"),
        Case(ServerSentEvent(data: "a\n\r"), "data: a\ndata:\ndata:\n\n"),
    ])
    func `writes fields that read back as they were given`(_ test: Case) throws {
        var bytes: [UInt8] = []
        try EventStreamWriter.append(test.event, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == test.text)

        var parser = EventStreamParser()
        var elements: [EventStreamElement] = []
        try parser.append(bytes, into: &elements)
        var expected = test.event
        expected.data = Self.withLineFeeds(test.event.data)
        #expect(elements == [.event(expected)])
    }

    struct Forgery: CustomTestStringConvertible, Sendable {
        let event: ServerSentEvent
        let error: EventStreamFieldError
        var testDescription: String { "\(error)" }
    }

    @Test(arguments: [
        Forgery(
            event: ServerSentEvent(data: "", id: "abc\ndata: x\n\nid: y"),
            error: EventStreamFieldError(field: .id, byte: 0x0A, offset: 3)),
        Forgery(
            event: ServerSentEvent(data: "", id: "\r"),
            error: EventStreamFieldError(field: .id, byte: 0x0D, offset: 0)),
        Forgery(
            event: ServerSentEvent(data: "", id: "\u{E9}\0"),
            error: EventStreamFieldError(field: .id, byte: 0x00, offset: 2)),
        Forgery(
            event: ServerSentEvent(type: "a\r\nb", data: ""),
            error: EventStreamFieldError(field: .event, byte: 0x0D, offset: 1)),
    ])
    func `refuses an id or a type that would end its line, and writes nothing`(_ test: Forgery) {
        var bytes: [UInt8] = []
        #expect(throws: test.error) { try EventStreamWriter.append(test.event, to: &bytes) }
        #expect(bytes == [])
    }

    @Test func `writes comments and the reconnection time`() {
        var bytes: [UInt8] = []
        EventStreamWriter.append(comment: "", to: &bytes)
        EventStreamWriter.append(comment: "still\r\nhere", to: &bytes)
        EventStreamWriter.append(reconnectionTime: .max, to: &bytes)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == ":\n: still\n: here\nretry: 18446744073709551615\n")
    }

    private static func withLineFeeds(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.reduce(into: [Unicode.Scalar]()) { scalars, next in
                    if next == "\n", scalars.last == "\r" { scalars.removeLast() }
                    scalars.append(next)
                }.map { $0 == "\r" ? "\n" : $0 }))
    }
}
