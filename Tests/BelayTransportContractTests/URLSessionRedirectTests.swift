import BelayCore
import BelayTransport
import BelayURLSession
import Testing

@Suite(.timeLimit(.minutes(1))) struct `An event stream over URLSession that is redirected` {
    private func ask(_ path: String) async throws -> (
        events: [ContractClient<[UInt8]>.Seen], requests: [String]
    ) {
        let server = RedirectingServer()
        let port = try await server.start()
        let transport = URLSessionEventStreamTransport(in: DispatchDomain(label: "redirect"))
        let client = ContractClient<[UInt8]>(in: transport.domain)
        let request = EventStreamRequest(
            url: try ConnectionURL("http://127.0.0.1:\(port)\(path)"), lastEventID: "41",
            fields: [try RequestField("Authorization", "Bearer secret")])
        await client.open { transport.open(request, sink: $0) }
        await client.wait { $0.last?.cause != nil }
        let answer = (await client.events, await server.requests)
        await server.stop()
        return answer
    }

    @Test func `is followed within its origin, with cursor and credentials`() async throws {
        let (events, requests) = try await ask("/here")
        #expect(
            events == [
                .opened(subprotocol: nil), .received(Array("data: found\n\n".utf8)),
                .ended(.peerFinished),
            ])
        #expect(requests.count == 2)
        let told = requests.map { $0.lowercased() }
        #expect(told.allSatisfy { $0.contains("last-event-id: 41\r\n") })
        #expect(told.allSatisfy { $0.contains("authorization: bearer secret\r\n") })
    }

    /// FoundationNetworking would take cursor and credentials along.
    @Test func `does not go to another origin, which is told nothing`() async throws {
        let (events, requests) = try await ask("/elsewhere")
        #expect(events == [.ended(.handshakeRefused(status: 302))])
        #expect(requests.count == 1)
    }

    @Test func `gives up a loop after five`() async throws {
        let (events, requests) = try await ask("/loop")
        #expect(events == [.ended(.handshakeRefused(status: 302))])
        #expect(requests.count == 6)
    }

    /// FoundationNetworking reports neither an error nor a response.
    @Test func `ends where no place is named`() async throws {
        let (events, _) = try await ask("/nowhere")
        #expect(events.count == 1)
        #expect(events.first?.cause != nil)
    }

    @Test func `asks as an event stream, for nothing compressed`() async throws {
        let (_, requests) = try await ask("/stream")
        let request = try #require(requests.first)
        let fields = [
            "Accept: text/event-stream", "Cache-Control: no-cache", "Accept-Encoding: identity",
        ]
        #expect(fields.filter { !request.contains("\($0)\r\n") } == [])
    }
}
