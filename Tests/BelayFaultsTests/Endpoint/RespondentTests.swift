import BelayFaults
import BelayTransport
import BelayWire
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A respondent` {
    /// Echoes the request: its method, path and content.
    private func withEcho(
        limit: Int = 10, limits: EndpointLimits = EndpointLimits(),
        _ body: (Endpoint, UInt16) async throws -> Void
    ) async throws {
        let endpoint = Endpoint(
            limits: limits,
            respondent: Respondent(bodyLimit: limit) { request in
                let text = "\(request.method) \(request.path) "
                return PlainAnswer(
                    status: 200, fields: ["X-Echo": request.fields["X-Say"] ?? ""],
                    body: Array(text.utf8) + request.body)
            })
        let port = try await endpoint.start()
        try await body(endpoint, port)
        await endpoint.stop()
    }

    struct Request: Sendable, CustomTestStringConvertible {
        let parts: [String]
        let status: Int
        var body = ""

        var testDescription: String { parts.joined(separator: "|") }
    }

    @Test(arguments: [
        Request(
            parts: ["GET /events?cut=1 HTTP/1.1\r\nHost: t\r\n\r\n"], status: 200,
            body: "GET /events "),
        Request(parts: ["DELETE / HTTP/1.1\r\nHost: t\r\n\r\n"], status: 200, body: "DELETE / "),
        Request(
            parts: ["POST /a HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\nhello"], status: 200,
            body: "POST /a hello"),
        Request(
            parts: ["POST /a HTTP/1.1\r\nHost: t\r\nContent-Length: 10\r\n\r\nhe", "llo", "world"],
            status: 200, body: "POST /a helloworld"),
        Request(
            parts: [
                "POST /a HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
                "2\r\nde\r\n0\r\n\r\n",
            ], status: 200, body: "POST /a abcde"),
        Request(
            parts: [
                "POST /a HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\n\r\nabc"
                    + "GET / HTTP/1.1\r\nHost: t\r\n\r\n"
            ],
            status: 200, body: "POST /a abc"),
        Request(parts: ["HEAD /a HTTP/1.1\r\nHost: t\r\n\r\n"], status: 200),
        Request(
            parts: ["POST /a HTTP/1.1\r\nHost: t\r\nContent-Length: 11\r\n\r\n"], status: 413,
            body: "413\n"),
        Request(
            parts: [
                "POST /a HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nabcdef\r\n",
                "5\r\nghijk\r\n",
            ], status: 413, body: "413\n"),
        Request(
            parts: ["POST /a HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n"],
            status: 400,
            body: "400\n"),
        Request(
            parts: ["POST /a HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: gzip\r\n\r\n"], status: 501,
            body: "501\n"),
        Request(
            parts: ["POST /a HTTP/1.1\r\nHost: t\r\nContent-Length: -1\r\n\r\n"], status: 400,
            body: "400\n"),
    ])
    func `answers every path, with a content as long as its limit`(
        _ request: Request
    ) async throws {
        try await withEcho { _, port in
            let client = try RawClient(port)
            for part in request.parts { client.send(part) }
            let (head, body, end) = await client.answer()
            #expect(head.hasPrefix("HTTP/1.1 \(request.status) "))
            #expect(body == request.body)
            #expect(end == .fin)
        }
    }

    @Test func `lets a client go on that waits for it`() async throws {
        try await withEcho { _, port in
            let client = try RawClient(port)
            client.send(
                "POST / HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\nX-Say: hi\r\n"
                    + "Content-Length: 2\r\n\r\n"
            )
            #expect(await client.interimHead().hasPrefix("HTTP/1.1 100 "))
            client.send("ok")
            let (head, body, _) = await client.answer()
            #expect(head.contains("X-Echo: hi\r\n"))
            #expect(body == "POST / ok")
        }
    }

    @Test func `is not asked for a content that drips past its deadline`() async throws {
        // A busy machine must come to the first words before it.
        try await withEcho(limits: EndpointLimits(headTimeout: 2_000)) { endpoint, port in
            let client = try RawClient(port)
            client.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\n\r\no")
            #expect(await client.answer().head.hasPrefix("HTTP/1.1 408 "))
        }
    }

    @Test func `is cancelled where its client has gone, and answers nobody`() async throws {
        let (asked, asking) = AsyncStream.makeStream(of: Void.self)
        let (over, ending) = AsyncStream.makeStream(of: Bool.self)
        let endpoint = Endpoint(
            respondent: Respondent { _ in
                asking.yield()
                // Ends by cancellation only.
                for await _ in AsyncStream<Never>.makeStream().stream {}
                ending.yield(Task.isCancelled)
                return PlainAnswer(status: 200)
            })
        let client = try RawClient(try await endpoint.start())
        client.get("/")
        for await _ in asked { break }
        client.reset()
        var cancelled: Bool?
        for await isCancelled in over {
            cancelled = isCancelled
            break
        }
        #expect(cancelled == true)
        await endpoint.stop()
        let events = await endpoint.record.entries.map(\.event)
        #expect(!events.contains(.response(status: 200)))
    }

    @Test func `says what follows once its answer was handed over`() async throws {
        let (said, saying) = AsyncStream.makeStream(of: Void.self)
        let endpoint = Endpoint(
            respondent: Respondent { _ in
                PlainAnswer(status: 204) {
                    saying.yield()
                    saying.finish()
                }
            })
        let client = try RawClient(try await endpoint.start())
        client.get("/")
        for await _ in said {}
        await endpoint.stop()
        let (head, body, end) = await client.answer()
        #expect(head.hasPrefix("HTTP/1.1 204 ") && !head.contains("Content-Length"))
        #expect((body, end) == ("", .fin))
    }
}

/// A respondent runs where tests run: a test that blocks would keep it from its thread.
extension RawClient {
    fileprivate func answer() async -> (head: String, body: String, end: End) {
        await elsewhere { $0.response() }
    }

    fileprivate func interimHead() async -> String {
        await elsewhere { $0.receiveHead() }
    }

    private func elsewhere<Value: Sendable>(
        _ work: @escaping @Sendable (RawClient) -> Value
    ) async -> Value {
        let answer = Answer<Value>()
        Thread.detachNewThread { answer.give(work(self)) }
        return await answer.value()
    }
}
