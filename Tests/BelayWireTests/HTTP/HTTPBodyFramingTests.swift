import BelayWire
import Testing

@Suite struct `The framing of a body` {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var method = "GET"
        var status = 200
        var version: HTTPVersion = .http11
        let fields: HTTPFields
        let outcome: Result<HTTPBodyFraming, HTTPFramingError>
    }

    static let length: HTTPFields = ["Content-Length": "5"]
    static let chunked: HTTPFields = ["Transfer-Encoding": "Chunked"]

    @Test(arguments: [
        Case(testDescription: "nothing said", fields: [:], outcome: .success(.untilClose)),
        Case(testDescription: "a length", fields: length, outcome: .success(.length(5))),
        Case(testDescription: "chunks", fields: chunked, outcome: .success(.chunked)),
        Case(testDescription: "HEAD", method: "HEAD", fields: length, outcome: .success(.none)),
        Case(testDescription: "204", status: 204, fields: length, outcome: .success(.none)),
        Case(testDescription: "304", status: 304, fields: chunked, outcome: .success(.none)),
        Case(testDescription: "101", status: 101, fields: [:], outcome: .success(.none)),
        Case(
            testDescription: "an open tunnel", method: "CONNECT", fields: length,
            outcome: .success(.none)),
        Case(
            testDescription: "a refused tunnel", method: "CONNECT", status: 407, fields: length,
            outcome: .success(.length(5))),
        Case(
            testDescription: "the same length twice", fields: ["Content-Length": "5, 5"],
            outcome: .success(.length(5))),
        Case(
            testDescription: "two lengths", fields: ["Content-Length": "5", "content-length": "6"],
            outcome: .failure(.malformedLength)),
        Case(
            testDescription: "a signed length", fields: ["Content-Length": "+5"],
            outcome: .failure(.malformedLength)),
        Case(
            testDescription: "an empty length", fields: ["Content-Length": ""],
            outcome: .failure(.malformedLength)),
        Case(
            testDescription: "a length past 64 bits",
            fields: ["Content-Length": "18446744073709551616"],
            outcome: .failure(.malformedLength)),
        Case(
            testDescription: "chunks and a length",
            fields: ["Content-Length": "5", "Transfer-Encoding": "chunked"],
            outcome: .failure(.lengthBesideTransferCoding)),
        Case(
            testDescription: "gzip and chunks", fields: ["Transfer-Encoding": "gzip, chunked"],
            outcome: .failure(.unsupportedTransferCoding)),
        Case(
            testDescription: "an empty coding", fields: ["Transfer-Encoding": ""],
            outcome: .failure(.unsupportedTransferCoding)),
        Case(
            testDescription: "chunks in HTTP/1.0", version: .http10, fields: chunked,
            outcome: .failure(.transferCodingInOldVersion)),
    ])
    func `of a response follows RFC 9112 §6.3`(_ test: Case) {
        let head = HTTPResponseHead(
            status: test.status, reason: "", fields: test.fields, version: test.version)
        let outcome = Result { () throws(HTTPFramingError) in
            try HTTPBodyFraming(of: head, to: test.method)
        }
        #expect(outcome == test.outcome)
    }

    @Test func `of a request is nothing unless it is said`() throws {
        var head = HTTPRequestHead(method: "POST", target: "/")
        #expect(try HTTPBodyFraming(of: head) == .none)
        head.fields = Self.length
        #expect(try HTTPBodyFraming(of: head) == .length(5))
        head.fields = Self.chunked
        #expect(try HTTPBodyFraming(of: head) == .chunked)
    }
}
