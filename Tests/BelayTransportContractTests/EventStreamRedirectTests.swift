import BelayCore
import BelayTransport
import Testing

@Suite(.timeLimit(.minutes(1))) struct `An event stream that is redirected` {
    private struct Answer {
        let events: [ContractClient<[UInt8]>.Seen]
        let requests: [RedirectingServer.Request]
    }

    private func ask(
        _ kind: EventStreamKind, _ path: String, _ method: RequestMethod = .get,
        body: [UInt8]? = nil
    ) async throws -> Answer {
        let server = RedirectingServer()
        let port = try await server.start()
        let transport = kind.transport
        let client = ContractClient<[UInt8]>(in: transport.domain)
        let request = EventStreamRequest(
            url: try ConnectionURL("http://127.0.0.1:\(port)\(path)"), method: method, body: body,
            lastEventID: "41",
            fields: [
                try RequestField("Authorization", "Bearer secret"),
                try RequestField("Content-Type", "application/json"),
            ])
        await client.open { transport.open(request, sink: $0) }
        await client.wait { $0.last?.cause != nil }
        let answer = Answer(events: await client.events, requests: await server.requests)
        await server.stop()
        return answer
    }

    private static let found: [ContractClient<[UInt8]>.Seen] = [
        .opened(subprotocol: nil), .received(Array("data: found\n\n".utf8)), .ended(.peerFinished),
    ]

    @Test(arguments: EventStreamKind.overHTTP)
    func `is followed within its origin, with cursor and credentials`(
        kind: EventStreamKind
    ) async throws {
        let answer = try await ask(kind, "/302/stream")
        #expect(answer.events == Self.found)
        #expect(answer.requests.map(\.line) == ["GET /302/stream", "GET /stream"])
        #expect(answer.requests.allSatisfy { $0["last-event-id"] == "41" })
        #expect(answer.requests.allSatisfy { $0["authorization"] == "Bearer secret" })
    }

    @Test(arguments: EventStreamKind.overHTTP)
    func `tells another origin neither`(kind: EventStreamKind) async throws {
        let answer = try await ask(kind, "/302/elsewhere")
        #expect(answer.events == Self.found)
        #expect(answer.requests.map(\.line) == ["GET /302/elsewhere", "GET /stream"])
        let last = try #require(answer.requests.last)
        #expect(last["host"]?.hasPrefix("localhost:") == true)
        #expect(last["last-event-id"] == nil)
        #expect(last["authorization"] == nil)
    }

    @Test(arguments: EventStreamKind.overHTTP, [307, 308])
    func `keeps its body where it shall`(kind: EventStreamKind, status: Int) async throws {
        let body = Array("{\"question\": 1}".utf8)
        let answer = try await ask(kind, "/\(status)/stream", .post, body: body)
        #expect(answer.events == Self.found)
        #expect(answer.requests.map(\.line) == ["POST /\(status)/stream", "POST /stream"])
        #expect(answer.requests.map(\.body) == [body, body])
        #expect(answer.requests.allSatisfy { $0["content-type"] == "application/json" })
    }

    @Test(arguments: EventStreamKind.overHTTP, [301, 302, 303])
    func `asks by GET where it shall`(kind: EventStreamKind, status: Int) async throws {
        let answer = try await ask(kind, "/\(status)/stream", .post, body: [1, 2, 3])
        #expect(answer.events == Self.found)
        #expect(answer.requests.map(\.line) == ["POST /\(status)/stream", "GET /stream"])
        #expect(answer.requests.map(\.body) == [[1, 2, 3], []])
        #expect(answer.requests.last?["content-type"] == nil)
        #expect(answer.requests.last?["content-length"] == nil)
    }

    @Test(arguments: EventStreamKind.overHTTP)
    func `gives up a loop`(kind: EventStreamKind) async throws {
        let answer = try await ask(kind, "/302/loop")
        #expect(answer.events == [.ended(.handshakeRefused(status: 302))])
        #expect(answer.requests.count == 1 + RedirectChain.limit)
    }

    /// FoundationNetworking reports neither an error nor a response.
    @Test(arguments: EventStreamKind.overHTTP, ["nowhere", "empty"])
    func `ends where no place is named`(kind: EventStreamKind, place: String) async throws {
        let answer = try await ask(kind, "/301/\(place)")
        #expect(answer.events.count == 1)
        #expect(answer.events.first?.cause != nil)
        if kind != .urlSession {
            #expect(answer.events == [.ended(.handshakeRefused(status: 301))])
        }
    }

    @Test(arguments: EventStreamKind.overHTTP)
    func `asks as an event stream, for nothing compressed`(kind: EventStreamKind) async throws {
        let request = try #require(try await ask(kind, "/stream").requests.first)
        #expect(request["accept"] == "text/event-stream")
        #expect(request["cache-control"] == "no-cache")
        #expect((request["accept-encoding"] ?? "identity") == "identity")
    }
}
