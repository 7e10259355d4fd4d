import BelayWire
import Testing

@Suite struct `HTTP heads` {
    @Test func `are written with their line ends`() throws {
        var bytes: [UInt8] = []
        try HTTPRequestHead(
            method: "GET", target: "/events?cut=1", fields: ["Host": "a", "Last-Event-ID": ""]
        ).encode(into: &bytes)
        try HTTPResponseHead(status: 200, reason: "", version: .http10).encode(into: &bytes)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "GET /events?cut=1 HTTP/1.1\r\nHost: a\r\nLast-Event-ID: \r\n\r\n"
                + "HTTP/1.0 200 \r\n\r\n")
    }

    struct Request: CustomTestStringConvertible, Sendable {
        let head: HTTPRequestHead
        let error: HTTPEncodingError
        var testDescription: String { "\(error)" }
    }

    @Test(arguments: [
        Request(head: HTTPRequestHead(method: "", target: "/"), error: .method("")),
        Request(head: HTTPRequestHead(method: "A B", target: "/"), error: .method("A B")),
        Request(head: HTTPRequestHead(method: "GET", target: ""), error: .target),
        Request(head: HTTPRequestHead(method: "GET", target: "/ x"), error: .target),
        Request(head: HTTPRequestHead(method: "GET", target: "/\r\nA: b"), error: .target),
        Request(
            head: HTTPRequestHead(method: "GET", target: "/", fields: ["A:": ""]),
            error: .fieldName("A:")),
        Request(
            head: HTTPRequestHead(method: "GET", target: "/", fields: ["A": "b\r\nC: d"]),
            error: .fieldValue(of: "A")),
        Request(
            head: HTTPRequestHead(method: "GET", target: "/", fields: ["A": "\0"]),
            error: .fieldValue(of: "A")),
    ])
    func `are refused when a part would end its line`(_ test: Request) {
        var bytes: [UInt8] = []
        #expect(throws: test.error) { try test.head.encode(into: &bytes) }
        #expect(bytes == [])
    }

    struct Response: CustomTestStringConvertible, Sendable {
        let head: HTTPResponseHead
        let error: HTTPEncodingError
        var testDescription: String { "\(error)" }
    }

    @Test(arguments: [
        Response(head: HTTPResponseHead(status: 99, reason: ""), error: .status(99)),
        Response(head: HTTPResponseHead(status: 1000, reason: ""), error: .status(1000)),
        Response(head: HTTPResponseHead(status: 200, reason: "a\nb"), error: .reason),
    ])
    func `of responses are refused likewise`(_ test: Response) {
        var bytes: [UInt8] = []
        #expect(throws: test.error) { try test.head.encode(into: &bytes) }
        #expect(bytes == [])
    }
}
