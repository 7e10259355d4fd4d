import BelayCore
import BelayTransport
import Testing

/// What every WebSocket transport promises its driver.
@Suite(.timeLimit(.minutes(5))) struct `A WebSocket transport` {
    @Test(arguments: WebSocketKind.allCases)
    func `delivers opened once and first`(kind: WebSocketKind) async throws {
        try await withPeer(kind, PeerPlan(greetings: 3)) { client, _ in
            try await client.wait { $0.count == 4 }
            #expect(await client.events.first == .opened(subprotocol: nil))
        }
    }

    @Test(arguments: WebSocketKind.allCases)
    func `delivers messages in order`(kind: WebSocketKind) async throws {
        try await withPeer(kind, PeerPlan(greetings: 50)) { client, _ in
            try await client.wait { $0.count == 51 }
            #expect(await client.payloads == (1...50).map { .text("\($0)") })
        }
    }

    @Test(arguments: WebSocketKind.allCases)
    func `reports messages as sent in order, and the peer hears them so`(
        kind: WebSocketKind
    ) async throws {
        let messages = (1...20).map { number -> WebSocketMessage in
            number.isMultiple(of: 2)
                ? .text("\(number)") : .binary([UInt8](repeating: UInt8(number), count: 1_000))
        }
        try await withPeer(kind) { client, _ in
            try await client.wait { $0.count == 1 }
            for (index, message) in messages.enumerated() {
                await client.orderWebSocket { $0.send(message, number: UInt64(index + 1)) }
            }
            try await client.wait { $0.count == 41 }
            let sent = await client.events.compactMap { event -> UInt64? in
                if case .sent(let number) = event { number } else { nil }
            }
            #expect(sent == Array(1...20))
            #expect(await client.payloads == messages)
        }
    }

    // C10: URLSession's own limit is 1 MiB.
    @Test(arguments: WebSocketKind.allCases)
    func `carries a message above a mebibyte`(kind: WebSocketKind) async throws {
        let long = WebSocketMessage.binary([UInt8](repeating: 7, count: 1 << 20 | 1))
        try await withPeer(kind) { client, _ in
            try await client.wait { $0.count == 1 }
            await client.orderWebSocket { $0.send(long, number: 1) }
            try await client.wait { $0.count == 3 }
            let isWhole = await client.payloads == [long]
            #expect(isWhole)
        }
    }

    // A13, W19
    @Test(arguments: WebSocketKind.allCases, [1, 2])
    func `delivers a pong at most once for a ping, behind its hand-over`(
        kind: WebSocketKind, pongs: Int
    ) async throws {
        try await withPeer(kind, PeerPlan(pongs: pongs)) { client, _ in
            try await client.wait { $0.count == 1 }
            for number: UInt32 in 1...3 {
                await client.orderWebSocket { $0.ping(number) }
                try await client.wait { $0.contains(.pong(number)) }
            }
            // What the peer said before the echo was reported before it.
            await client.orderWebSocket { $0.send(.text("end"), number: 1) }
            try await client.wait { $0.contains(.received(.text("end"))) }
            let pings = await client.events.filter { event in
                switch event {
                case .pong, .pingHandedOver: true
                default: false
                }
            }
            #expect(
                pings == [
                    .pingHandedOver(1), .pong(1), .pingHandedOver(2), .pong(2),
                    .pingHandedOver(3), .pong(3),
                ])
        }
    }

    @Test(arguments: WebSocketKind.allCases)
    func `goes on without a pong that never comes`(kind: WebSocketKind) async throws {
        try await withPeer(kind, PeerPlan(pongs: 0)) { client, _ in
            try await client.wait { $0.count == 1 }
            await client.orderWebSocket { $0.ping(1) }
            await client.orderWebSocket { $0.send(.text("a"), number: 1) }
            try await client.wait { $0.contains(.received(.text("a"))) }
            #expect(await client.events.contains(.pingHandedOver(1)))
            #expect(await !client.events.contains(.pong(1)))
        }
    }

    @Test(arguments: WebSocketKind.allCases, [1_000, 1_001, 1_011] as [UInt16])
    func `ends with the peer's Close, and keeps its code`(
        kind: WebSocketKind, code: UInt16
    ) async throws {
        let plan = PeerPlan(greetings: 5, atFirstMessage: .closes(code: code))
        try await withPeer(kind, plan) { client, _ in
            try await client.wait { $0.count == 6 }
            await client.orderWebSocket { $0.send(.text("go"), number: 1) }
            try await client.wait { $0.last?.cause != nil }
            #expect(await client.causes == [.peerClosed(code: code)])
            #expect(await client.payloads.count == 5)
            #expect(await client.closeFrames()?.received?.code == code)
        }
    }

    /// A scripted transport answers nothing by itself.
    @Test(arguments: [WebSocketKind.tcp, .urlSession])
    func `answers the peer's Close with its code`(kind: WebSocketKind) async throws {
        try await withPeer(kind, PeerPlan(atFirstMessage: .closes(code: 1_001))) { client, _ in
            try await client.wait { $0.count == 1 }
            await client.orderWebSocket { $0.send(.text("go"), number: 1) }
            try await client.wait { $0.last?.cause != nil }
            #expect(await client.closeFrames()?.sentCode == 1_001)
        }
    }

    @Test(arguments: WebSocketKind.allCases)
    func `ends our own Close when the peer has answered`(kind: WebSocketKind) async throws {
        try await withPeer(kind) { client, _ in
            try await client.wait { $0.count == 1 }
            await client.orderWebSocket { $0.close(code: 1_000, reason: "bye") }
            try await client.wait { $0.last?.cause != nil }
            #expect(await client.causes == [.closedLocally])
            let frames = await client.closeFrames()
            #expect(frames?.sentCode == 1_000)
            #expect(frames?.received?.code == 1_000)
        }
    }

    @Test(arguments: WebSocketKind.allCases)
    func `delivers what came before the answer to our Close, whatever the pace`(
        kind: WebSocketKind
    ) async throws {
        try await withPeer(kind, PeerPlan(greetings: 5), lagging: true) { client, stage in
            try await client.wait { $0.count == 1 }
            await stage.peerSaidAll()
            await client.orderWebSocket { $0.close(code: 1_000, reason: "") }
            try await client.wait { $0.last?.cause != nil }
            #expect(await client.payloads == (1...5).map { .text("\($0)") })
            #expect(await client.causes == [.closedLocally])
        }
    }

    @Test(
        arguments: WebSocketKind.allCases,
        [(PeerPlan.Reaction.vanishes, CloseCause.peerVanished), (.resets, .reset)])
    func `ends once where the peer vanishes or resets`(
        kind: WebSocketKind, end: (PeerPlan.Reaction, CloseCause)
    ) async throws {
        try await withPeer(kind, PeerPlan(atFirstMessage: end.0)) { client, stage in
            try await client.wait { $0.count == 1 }
            await client.orderWebSocket { $0.ping(1) }
            await client.orderWebSocket { $0.send(.text("go"), number: 1) }
            try await client.wait { $0.last?.cause != nil }
            #expect(await client.causes == [end.1])
            #expect(await client.closeFrames()?.received == nil)
            await stage.domain.call {}
            #expect(await client.causes == [end.1])
        }
    }

    @Test(arguments: WebSocketKind.allCases)
    func `delivers nothing after its end, whatever is ordered then`(
        kind: WebSocketKind
    ) async throws {
        try await withPeer(kind, PeerPlan(atFirstMessage: .closes(code: 1_000))) { client, stage in
            try await client.wait { $0.count == 1 }
            await client.orderWebSocket { $0.send(.text("go"), number: 1) }
            try await client.wait { $0.last?.cause != nil }
            let events = await client.events
            await client.orderWebSocket { channel in
                channel.send(.text("late"), number: 2)
                channel.ping(1)
                channel.setReading(.paused)
                channel.setReading(.flowing)
                channel.close(code: 1_000, reason: "")
                channel.abort()
                channel.abort()
            }
            await stage.peerSawEnd()
            await stage.domain.call {}
            #expect(await client.events == events)
        }
    }

    @Test(arguments: WebSocketKind.allCases)
    func `keeps the status and the wait of a refusal`(kind: WebSocketKind) async throws {
        try await withPeer(kind, PeerPlan(opening: .refuses(status: 503))) { client, _ in
            try await client.wait { !$0.isEmpty }
            #expect(
                await client.events == [
                    .ended(.handshakeRefused(status: 503), retryAfter: 2_000)
                ])
        }
    }

    // C11, C13
    @Test(arguments: WebSocketKind.allCases)
    func `aborted before it opened ends the attempt and delivers nothing`(
        kind: WebSocketKind
    ) async throws {
        try await withPeer(kind, PeerPlan(opening: .staysSilent)) { client, stage in
            await client.abort()
            await stage.peerSawEnd()
            await stage.domain.call {}
            #expect(await client.events.isEmpty)
        }
    }

    @Test(arguments: WebSocketKind.allCases)
    func `aborted when open ends the connection and delivers nothing more`(
        kind: WebSocketKind
    ) async throws {
        try await withPeer(kind) { client, stage in
            try await client.wait { $0.count == 1 }
            await client.abort()
            await stage.peerSawEnd()
            await stage.domain.call {}
            #expect(await client.events == [.opened(subprotocol: nil)])
        }
    }

    @Test(arguments: WebSocketKind.allCases)
    func `holds messages while it is paused, and delivers them all when it flows`(
        kind: WebSocketKind
    ) async throws {
        try await withPeer(kind, PeerPlan(greetings: 20), lagging: true) { client, stage in
            try await client.wait { $0.count == 1 }
            await stage.peerSaidAll()
            await stage.domain.call {}
            #expect(await client.payloads.isEmpty)
            await client.flow()
            try await client.wait { $0.count == 21 }
            #expect(await client.payloads == (1...20).map { .text("\($0)") })
            #expect(await client.payloadsBehindPause == 0)
        }
    }
}
