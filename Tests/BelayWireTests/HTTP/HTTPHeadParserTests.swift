import BelayWire
import Testing

@Suite struct `The head parser` {
    struct Outcome<Head: HTTPHead & Equatable>: Equatable {
        var head: Head?
        /// What follows the head.
        var rest: [UInt8] = []
        var error: HTTPHeadError?

        init(head: Head? = nil, rest: [UInt8] = [], error: HTTPHeadError? = nil) {
            self.head = head
            self.rest = rest
            self.error = error
        }

        init(of chunks: [[UInt8]], limits: HTTPHeadLimits) {
            var parser = HTTPHeadParser<Head>(limits: limits)
            for chunk in chunks {
                guard head == nil else {
                    rest += chunk
                    continue
                }
                do {
                    guard let (head, consumed) = try parser.append(chunk) else { continue }
                    self.head = head
                    rest = Array(chunk[consumed...])
                } catch {
                    self.error = error
                }
            }
        }
    }

    struct Request: CustomTestStringConvertible, Sendable {
        let text: String
        let head: HTTPRequestHead
        var rest = ""
        var testDescription: String { text.debugDescription }
    }

    @Test(arguments: [
        Request(
            text: "GET / HTTP/1.1\r\n\r\n", head: HTTPRequestHead(method: "GET", target: "/")),
        Request(
            text: "GET /events?cut=1 HTTP/1.1\r\nHost: a:1\r\nX:\t y z \t\r\nEmpty:\r\n\r\n",
            head: HTTPRequestHead(
                method: "GET", target: "/events?cut=1",
                fields: ["Host": "a:1", "X": "y z", "Empty": ""])),
        Request(
            text: "POST * HTTP/1.0\nA: b:c\n\nbody\r\n\r\n",
            head: HTTPRequestHead(
                method: "POST", target: "*", fields: ["A": "b:c"], version: .http10),
            rest: "body\r\n\r\n"),
        Request(
            text: "\r\n\r\nGET / HTTP/1.7\r\na: 1\r\nA: 2\r\n\r\n",
            head: HTTPRequestHead(method: "GET", target: "/", fields: ["a": "1", "A": "2"])),
        Request(
            text: "GET /\u{E9} HTTP/1.1\r\nLast-Event-ID: \u{2026}\r\n\r\n",
            head: HTTPRequestHead(
                method: "GET", target: "/\u{E9}", fields: ["Last-Event-ID": "\u{2026}"])),
    ])
    func `reads requests and leaves what follows`(_ test: Request) {
        let expected = Outcome(head: test.head, rest: [UInt8](test.rest))
        let disagreements = disagreements(of: [UInt8](test.text), with: expected) {
            Outcome<HTTPRequestHead>(of: $0, limits: .default)
        }
        #expect(disagreements == [])
    }

    struct Response: CustomTestStringConvertible, Sendable {
        let text: String
        let head: HTTPResponseHead
        var testDescription: String { text.debugDescription }
    }

    @Test(arguments: [
        Response(
            text: "HTTP/1.1 200 OK\r\n\r\n", head: HTTPResponseHead(status: 200, reason: "OK")),
        Response(
            text: "HTTP/1.1 101 Switching Protocols\r\nA: b\r\n\r\n",
            head: HTTPResponseHead(
                status: 101, reason: "Switching Protocols", fields: ["A": "b"])),
        Response(
            text: "HTTP/1.0 503 \n\n",
            head: HTTPResponseHead(status: 503, reason: "", version: .http10)),
        Response(text: "HTTP/1.1 204\r\n\r\n", head: HTTPResponseHead(status: 204, reason: "")),
    ])
    func `reads responses, with and without a reason`(_ test: Response) {
        let disagreements = disagreements(
            of: [UInt8](test.text), with: Outcome(head: test.head)
        ) { Outcome<HTTPResponseHead>(of: $0, limits: .default) }
        #expect(disagreements == [])
    }

    struct Fault: CustomTestStringConvertible, Sendable {
        let text: String
        let error: HTTPHeadError
        let status: Int
        var testDescription: String { text.prefix(60).debugDescription }

        init(_ text: String, _ fault: HTTPHeadError.Fault, at offset: Int = 0, status: Int = 400) {
            self.text = text
            error = HTTPHeadError(fault, offset: offset)
            self.status = status
        }
    }

    static let line = "GET / HTTP/1.1\r\n"
    static let small = HTTPHeadLimits(headBytes: 200, lineBytes: 64, fieldCount: 3)

    @Test(arguments: [
        Fault("GET /\r\n", .malformedStartLine), Fault("GET  / HTTP/1.1\r\n", .malformedStartLine),
        Fault("GET / x HTTP/1.1\r\n", .unsupportedVersion, status: 505),
        Fault("GET / HTTP/2.0\r\n", .unsupportedVersion, status: 505),
        Fault("GET / HTTP/1.1 \r\n", .unsupportedVersion, status: 505),
        Fault("GET / http/1.1\r\n", .unsupportedVersion, status: 505),
        Fault("G:T / HTTP/1.1\r\n", .malformedStartLine),
        Fault("\u{16}\u{3}\u{1}\u{2}\n", .malformedStartLine),
        Fault("GET /\u{7F} HTTP/1.1\r\n", .malformedStartLine),
        Fault(line + "A: b\r\n folded\r\n", .foldedField, at: 22),
        Fault(line + " A: b\r\n", .foldedField, at: 16),
        Fault(line + "A : b\r\n", .spaceBeforeColon, at: 16),
        Fault(line + "A\t: b\r\n", .spaceBeforeColon, at: 16),
        Fault(line + "A b\r\n", .malformedFieldName, at: 16),
        Fault(line + ": b\r\n", .malformedFieldName, at: 16),
        Fault(line + "A b: c\r\n", .malformedFieldName, at: 16),
        Fault(line + "\u{E9}: c\r\n", .malformedFieldName, at: 16),
        Fault(line + "A: b\rc\r\n", .bareCarriageReturn, at: 16),
        Fault(line + "A: b\r\r\n", .bareCarriageReturn, at: 16),
        Fault(line + "A: b\0c\r\n", .nul, at: 16),
        Fault(
            line + "A:1\r\nA:2\r\nA:3\r\nA:4\r\n", .tooManyFields(maximum: 3), at: 31, status: 431),
        Fault(
            line + "A:" + String(repeating: "b", count: 63), .lineTooLong(maximum: 64), at: 16,
            status: 431),
        Fault(
            "GET /" + String(repeating: "b", count: 100) + " HTTP/1.1\r\n\r\n",
            .lineTooLong(maximum: 64), status: 431),
        Fault(
            line + String(repeating: "A:" + String(repeating: "b", count: 60) + "\r\n", count: 3),
            .headTooLong(maximum: 200), at: 16 + 128, status: 431),
        Fault(
            line + String(repeating: "A:" + String(repeating: "b", count: 60) + "\r\n", count: 2)
                + "A:" + String(repeating: "b", count: 100) + "\r\n",
            .headTooLong(maximum: 200), at: 16 + 128, status: 431),
        Fault(
            String(repeating: "\r\n", count: 200), .headTooLong(maximum: 200), at: 200,
            status: 431),
    ])
    func `refuses a request at the line at fault, the same for every chunking`(_ test: Fault) {
        let disagreements = disagreements(
            of: [UInt8](test.text), with: Outcome(error: test.error)
        ) { Outcome<HTTPRequestHead>(of: $0, limits: Self.small) }
        #expect(disagreements == [])
        #expect(test.error.status == test.status)
    }

    @Test(arguments: [
        Fault("\r\nHTTP/1.1 200 OK\r\n", .malformedStartLine),
        Fault("HTTP/1.1 20 OK\r\n", .malformedStartLine),
        Fault("HTTP/1.1 2000 OK\r\n", .malformedStartLine),
        Fault("HTTP/1.1 099 OK\r\n", .malformedStartLine),
        Fault("HTTP/1.1  200 OK\r\n", .malformedStartLine),
        Fault("HTTP/1.1\r\n", .malformedStartLine),
        Fault("HTTP/3.0 200 OK\r\n", .unsupportedVersion),
        Fault("ICY 200 OK\r\n", .unsupportedVersion),
    ])
    func `refuses a response likewise`(_ test: Fault) {
        let disagreements = disagreements(
            of: [UInt8](test.text), with: Outcome(error: test.error)
        ) { Outcome<HTTPResponseHead>(of: $0, limits: Self.small) }
        #expect(disagreements == [])
    }

    @Test(arguments: RandomInput.seeds)
    func `says the same of random heads however they are cut`(_ seed: UInt64) {
        let pieces = [
            "GET / HTTP/1.1\r\n", "A: b\r\n", "\r\n", "\r", "\n", " ", "A", ":", "\0",
            String(repeating: "x", count: 30),
        ].map { [UInt8]($0) }
        let limits = HTTPHeadLimits(headBytes: 90, lineBytes: 64, fieldCount: 2)
        let disagreements = RandomInput(seed: seed, pieces: pieces).disagreements {
            Outcome<HTTPRequestHead>(of: $0, limits: limits)
        }
        #expect(disagreements == [])
    }

    @Test func `reads the next head of the same connection`() throws {
        var parser = HTTPHeadParser<HTTPRequestHead>()
        #expect(parser.isAtStart)
        let half = try parser.append([UInt8]("GET /a HTTP/1.1\r\n"))
        #expect(half == nil)
        #expect(!parser.isAtStart)
        let first = try parser.append([UInt8]("\r\nGET /b HTTP/1.1\r\n\r\n"))
        #expect(first?.consumed == 2)
        #expect(parser.isAtStart)
        let second = try parser.append([UInt8]("GET /b HTTP/1.1\r\n\r\n"))
        #expect(second?.head.target == "/b")
    }
}
