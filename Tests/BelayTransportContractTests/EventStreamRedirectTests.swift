import BelayCore
import BelayTransport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `An event stream that is redirected` {
    @Test(arguments: EventStreamKind.overHTTP)
    func `is followed within its origin, with cursor and credentials`(
        kind: EventStreamKind
    ) async throws {
        let answer = try await kind.ask("/302/stream")
        #expect(answer.events == HeardAnswer.found)
        #expect(answer.requests.map(\.line) == ["GET /302/stream", "GET /stream"])
        #expect(answer.requests.allSatisfy { $0["last-event-id"] == "41" })
        #expect(answer.requests.allSatisfy { $0["authorization"] == "Bearer secret" })
    }

    @Test(arguments: EventStreamKind.overHTTP)
    func `tells another origin neither`(kind: EventStreamKind) async throws {
        let answer = try await kind.ask("/302/elsewhere")
        #expect(answer.events == HeardAnswer.found)
        #expect(answer.requests.map(\.line) == ["GET /302/elsewhere", "GET /stream"])
        let last = try #require(answer.requests.last)
        #expect(last["host"]?.hasPrefix("localhost:") == true)
        #expect(last["last-event-id"] == nil)
        #expect(last["authorization"] == nil)
    }

    @Test(arguments: EventStreamKind.overHTTP, [307, 308])
    func `keeps its body where it shall`(kind: EventStreamKind, status: Int) async throws {
        let body = Array("{\"question\": 1}".utf8)
        let answer = try await kind.ask("/\(status)/stream", .post, body: body)
        #expect(answer.events == HeardAnswer.found)
        #expect(answer.requests.map(\.line) == ["POST /\(status)/stream", "POST /stream"])
        #expect(answer.requests.map(\.body) == [body, body])
        #expect(answer.requests.allSatisfy { $0["content-type"] == "application/json" })
    }

    @Test(arguments: EventStreamKind.overHTTP, [301, 302, 303])
    func `asks by GET where it shall`(kind: EventStreamKind, status: Int) async throws {
        let answer = try await kind.ask("/\(status)/stream", .post, body: [1, 2, 3])
        #expect(answer.events == HeardAnswer.found)
        #expect(answer.requests.map(\.line) == ["POST /\(status)/stream", "GET /stream"])
        #expect(answer.requests.map(\.body) == [[1, 2, 3], []])
        #expect(answer.requests.last?["content-type"] == nil)
        #expect(answer.requests.last?["content-length"] == nil)
    }

    @Test(arguments: EventStreamKind.overHTTP)
    func `gives up a loop`(kind: EventStreamKind) async throws {
        let answer = try await kind.ask("/302/loop")
        #expect(answer.events == [.ended(.handshakeRefused(status: 302))])
        #expect(answer.requests.count == 1 + RedirectChain.limit)
    }

    /// FoundationNetworking reports neither an error nor a response.
    @Test(arguments: EventStreamKind.overHTTP, ["nowhere", "empty"])
    func `ends where no place is named`(kind: EventStreamKind, place: String) async throws {
        let answer = try await kind.ask("/301/\(place)")
        #expect(answer.events.count == 1)
        #expect(answer.events.first?.cause != nil)
        if kind != .urlSession {
            #expect(answer.events == [.ended(.handshakeRefused(status: 301))])
        }
    }
}
