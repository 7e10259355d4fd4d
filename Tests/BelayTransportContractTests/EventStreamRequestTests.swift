import BelayCore
import BelayTransport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A request for an event stream` {
    @Test(arguments: EventStreamKind.overHTTP)
    func `asks as an event stream, for nothing compressed`(kind: EventStreamKind) async throws {
        let answer = try await kind.ask("/stream")
        #expect(answer.events == HeardAnswer.found)
        let request = try #require(answer.requests.first)
        #expect(request["accept"] == "text/event-stream")
        #expect(request["cache-control"] == "no-cache")
        #expect(request["accept-encoding"] == "identity")
    }

    @Test(arguments: EventStreamKind.overHTTP, ["/gzip", "/stream", "/302/gzip"])
    func `asks for gzip where that is accepted, and reads either`(
        kind: EventStreamKind, path: String
    ) async throws {
        let answer = try await kind.ask(path, acceptsCompression: true)
        #expect(answer.events == HeardAnswer.found)
        #expect(answer.requests.allSatisfy { $0["accept-encoding"] == "gzip" })
    }

    @Test(arguments: EventStreamKind.overHTTP)
    func `reads nothing compressed that it did not ask for`(kind: EventStreamKind) async throws {
        #expect(try await kind.ask("/gzip").events == [.ended(.wrongContentType)])
    }
}
