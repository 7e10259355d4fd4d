import Belay
import BelayFaults
import Testing

@Suite(.timeLimit(.minutes(1))) struct `libwebsockets` {
    private func serve(_ body: (_ url: String) async throws -> Void) async throws {
        try await Program.lwsServer.run { server in
            try await body("ws://127.0.0.1:\(try await server.port())/")
        }
    }

    @Test func `counts without being asked`() async throws {
        try await serve { url in
            var talk = try Conversation(url, subprotocols: ["dumb-increment-protocol"])
            #expect(try await talk.opened() == "dumb-increment-protocol")
            var numbers: [Int] = []
            while numbers.count < 10 {
                guard case .text(let text) = try await talk.message() else { continue }
                numbers.append(try #require(Int(text)))
            }
            let first = numbers[0]
            #expect(numbers == Array(first..<first + 10))
        }
    }

    @Test func `tells each of its clients what one said`() async throws {
        try await serve { url in
            var one = try Conversation(url, subprotocols: ["lws-mirror-protocol"])
            var other = try Conversation(url, subprotocols: ["lws-mirror-protocol"])
            #expect(try await one.opened() == "lws-mirror-protocol")
            try await other.opened()
            let strokes = (0..<50).map { WebSocketMessage.text("c #FF0000 \($0) 2 3") }
            for stroke in strokes { try await one.connection.send(stroke) }
            for stroke in strokes {
                #expect(try await one.message() == stroke)
                #expect(try await other.message() == stroke)
            }
        }
    }

    @Test func `closes as we do`() async throws {
        try await serve { url in
            var talk = try Conversation(url, subprotocols: ["lws-mirror-protocol"])
            try await talk.opened()
            try talk.connection.close(code: 4_001, reason: "bye")
            let facts = try await talk.closed()
            #expect(facts.cause == .closedLocally)
            #expect(facts.frames.received?.code == 4_001)
        }
    }

    @Test func `refuses a subprotocol that it does not know`() async throws {
        try await serve { url in
            var talk = try Conversation(url, subprotocols: ["unheard-of"])
            let facts = try await talk.closed()
            #expect(facts.age == nil)
            #expect(facts.cause == .peerVanished)
        }
    }

    // Without compression: 4.1.6 turns in a circle for ever once two messages that are not
    // compressed reach it in one segment, although deflate was agreed on (RFC 7692 §6.2).
    @Test func `draws at our endpoint, as a client`() async throws {
        let endpoint = Endpoint(limits: EndpointLimits(compression: nil))
        let port = try await endpoint.start()
        try await Program.lwsClient.run(["ws://127.0.0.1:\(port)/ws"]) { _ in
            _ = await endpoint.waitUntil { entries in
                entries.filter { $0.event.isEcho }.count >= 1_000
            }
        }
        await endpoint.stop()
        let events = await endpoint.record.entries.map(\.event)
        #expect(events.filter(\.isEcho).count >= 1_000)
        #expect(!events.contains(.violation(code: 1_002)))
    }
}

extension EndpointEntry.Event {
    fileprivate var isEcho: Bool {
        if case .messageSent = self { true } else { false }
    }
}
