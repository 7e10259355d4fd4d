import Belay
import Foundation
import Synchronization
import Testing

/// nchan keeps messages and gives each an id of its own, made of a time and a number.
@Suite(.timeLimit(.minutes(1))) struct `A channel of nchan` {
    private func withChannel(
        _ body: (EventStreamRequest, Publisher) async throws -> Void
    ) async throws {
        try await Program.nchan.run { server in
            let base = "http://127.0.0.1:\(try await server.port())"
            let channel = try #require(URL(string: base + "/publish/orders"))
            try await body(
                EventStreamRequest(url: try ConnectionURL(base + "/events/orders")),
                Publisher(channel: channel))
        }
    }

    @Test func `is resumed by its own ids, over a cut and over another life`() async throws {
        try await withChannel { request, publisher in
            let ledger = MemoryLedger()
            try await publisher.publish("1")
            var feed = Feed(request, ledger: ledger)
            let first = try await feed.event()
            #expect(first.data == "1")
            #expect(first.id?.contains(":") == true)
            try await publisher.publish("2")
            #expect(try await feed.event().data == "2")
            // Published while a new request is on its way, or after it came: once, either way.
            feed.source.reconnect()
            try await publisher.publish("3")
            #expect(try await feed.event().data == "3")
            try await feed.close()
            // Nobody reads now.
            try await publisher.publish("4")
            try await publisher.publish("5")
            var next = Feed(request, ledger: ledger)
            #expect(try await next.event().data == "4")
            #expect(try await next.event().data == "5")
            #expect(ledger.cursor?.text != first.id)
            try await next.close()
        }
    }

    @Test func `is kept open by pings without data, which are no events and move no cursor`()
        async throws
    {
        try await withChannel { request, publisher in
            try await publisher.publish("1")
            let (receipts, sink) = AsyncStream.makeStream(of: Void.self)
            var feed = Feed(request) { record in
                guard case .connection(let record) = record, case .received = record.input else {
                    return
                }
                sink.yield()
            }
            let cursor = try await feed.event().id
            // Its greeting and its message, in one read or two; then three pings, a second apart.
            var count = 0
            for await _ in receipts {
                count += 1
                if count == 5 { break }
            }
            #expect(feed.source.ledger.cursor?.text == cursor)
            try await publisher.publish("2")
            #expect(try await feed.event().data == "2")
            try await feed.close()
        }
    }

    @Test func `that is deleted says so in a comment, and ends in order`() async throws {
        try await withChannel { request, publisher in
            try await publisher.publish("1")
            var feed = Feed(request)
            #expect(try await feed.comment() == "hi")
            #expect(try await feed.event().data == "1")
            try await publisher.delete()
            #expect(try await feed.comment() == "410: 410 Gone")
            #expect(try await feed.end() == .peerFinished)
            // The next request makes the channel anew, and its ids with it: in the same second they
            // are the old ones, so that nothing but the greeting is sure to be told.
            #expect(try await feed.comment() == "hi")
            try await feed.close()
        }
    }
}
