import Belay
import Foundation
import Testing

/// aiohttp sends a stream in chunks, so that a cut is seen as one.
@Suite(.timeLimit(.minutes(1))) struct `An event stream of others` {
    struct Case: Sendable, CustomTestStringConvertible {
        let method: RequestMethod
        let query: String
        let body: String?

        var testDescription: String { "\(method.name)\(query)" }

        static let all = [
            ("", RequestMethod.get, nil), ("", .post, "orders"), ("", .report, "all"),
        ]
        .flatMap { _, method, body in
            ["?cut=1", "?cut=1&slow=1"].map { Case(method: method, query: $0, body: body) }
        }
    }

    @Test(arguments: Case.all)
    func `is resumed where it was cut in the midst of an event, each event once`(
        _ test: Case
    ) async throws {
        try await Program.aiohttpServer.run { server in
            let base = "http://127.0.0.1:\(try await server.port())"
            let (commits, sink) = AsyncStream.makeStream(of: Void.self)
            let body = test.body.map { Array($0.utf8) }
            var feed = Feed(
                EventStreamRequest(
                    url: try ConnectionURL(base + "/events" + test.query), method: test.method,
                    body: body)
            ) { record in
                if case .event = record { sink.yield() }
            }
            #expect(try await feed.event() == ServerSentEvent(data: "queued", id: "1"))
            // What the next request says is what was committed, not what was read.
            for await _ in commits { break }
            try await Publisher(channel: try #require(URL(string: base + "/cut"))).publish("")
            #expect(try await feed.end() == .truncated)
            #expect(try await feed.event() == ServerSentEvent(data: "building", id: "2"))
            #expect(try await feed.event() == ServerSentEvent(data: "finished", id: "3"))
            #expect(try await feed.end() == .peerFinished)
            try await feed.close()
            let asked = "\(test.method.name) - \(test.body ?? "-")"
            let (first, second) = (
                try await server.says("asked"), try await server.says("asked")
            )
            #expect(first == asked)
            #expect(second == asked.replacing(" - ", with: " 1 ", maxReplacements: 1))
        }
    }
}
