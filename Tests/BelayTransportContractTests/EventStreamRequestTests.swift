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

    // URLSession would leave the field out and say nothing: each reconnect would begin anew.
    @Test(
        arguments: EventStreamKind.overHTTP,
        ["a\r\nX-Evil: 1", "a\nb", "a\rb", "a\0b", "a\u{7F}"])
    func `is not sent with a cursor that no field can carry`(
        kind: EventStreamKind, id: String
    ) async throws {
        let answer = try await kind.ask("/stream", lastEventID: id)
        #expect(answer.events == [.ended(.requestInvalid(.lastEventID))])
        #expect(answer.requests.isEmpty)
    }

    @Test(arguments: EventStreamKind.overHTTP)
    func `is not sent to an address of another kind of connection`(
        kind: EventStreamKind
    ) async throws {
        let answer = try await kind.ask("/stream", scheme: .ws)
        #expect(answer.events == [.ended(.requestInvalid(.url))])
        #expect(answer.requests.isEmpty)
    }

    // The one part on which systems differ.
    @Test(arguments: EventStreamKind.overHTTP)
    func `is sent with a GET's content, or refused for it`(kind: EventStreamKind) async throws {
        let answer = try await kind.ask("/stream", body: Array("{}".utf8))
        if kind == .urlSession {
            #expect(answer.events == [.ended(.requestInvalid(.body))])
            #expect(answer.requests.isEmpty)
        } else {
            #expect(answer.events == HeardAnswer.found)
        }
        #expect(try await kind.ask("/stream", body: []).events == HeardAnswer.found)
    }

    @Test(arguments: EventStreamKind.overHTTP)
    func `reads nothing compressed that it did not ask for`(kind: EventStreamKind) async throws {
        #expect(try await kind.ask("/gzip").events == [.ended(.wrongContentType)])
    }
}
