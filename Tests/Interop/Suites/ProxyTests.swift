import Belay
import BelayFaults
import Testing

/// nginx ends what its upstream is silent on for two seconds, as proxies do after a minute.
@Suite(.timeLimit(.minutes(1))) struct `A proxy that cuts what is idle` {
    private func proxied(_ body: (_ authority: String) async throws -> Void) async throws {
        let endpoint = Endpoint()
        let port = try await endpoint.start()
        try await Program.nginx.run(["\(port)", "2"]) { proxy in
            try await body("127.0.0.1:\(try await proxy.port())")
        }
        await endpoint.stop()
    }

    @Test func `has vanished, and takes us again`() async throws {
        try await proxied { authority in
            var talk = try Conversation("ws://\(authority)/ws")
            try await talk.opened()
            let facts = try await talk.closed()
            #expect(facts.cause == .peerVanished)
            #expect(facts.frames == CloseFrames(received: nil, sentCode: nil))
            #expect(facts.age != nil)
            talk.connection.retryNow()
            try await talk.opened()
            #expect(try await talk.reply(to: .text("again")) == .text("again"))
        }
    }

    @Test func `does not cut what a heartbeat keeps busy`() async throws {
        try await proxied { authority in
            var talk = try Conversation(
                "ws://\(authority)/ws", heartbeat: .every(.milliseconds(200), timeout: .seconds(5)))
            try await talk.opened()
            let opened = ContinuousClock.now
            // Each pong changes it: as many of them as three limits hold.
            for await trip in talk.connection.roundTrips where trip != nil {
                if ContinuousClock.now - opened > .seconds(6) { break }
            }
            #expect(try await talk.reply(to: .text("still")) == .text("still"))
            #expect(talk.newest == Generation(1))
        }
    }

    @Test func `cuts an event stream, which goes on behind its cursor`() async throws {
        try await proxied { authority in
            var configuration = ConnectionConfiguration()
            configuration.shortestWait = .milliseconds(10)
            configuration.firstWait = .milliseconds(10)
            let feed = EventSource(
                url: try ConnectionURL("http://\(authority)/events?stall=1"),
                configuration: configuration)
            var ids: [String] = []
            try await feed.process { event in
                ids.append(event.lastEventID)
                if ids.count == 3 { feed.close() }
            }
            #expect(ids == ["1", "2", "3"])
        }
    }
}
