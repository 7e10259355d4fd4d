import BelayCore
import BelayTesting
import BelayTransport
import Testing

@testable import Belay

@Suite struct `A WebSocket connection` {
    let g1 = Generation(1)
    let g2 = Generation(2)

    @Test func `does nothing before it is read`() throws {
        let chat = try Chat()
        chat.loop.advance(by: 100_000)
        #expect(chat.channels.isEmpty)
        #expect(chat.connection.status == .idle)
    }

    @Test func `tells what happens, in order`() throws {  // W20, W24
        let chat = try Chat()
        chat.open()
        chat.channels[0].report(.received(.text("hello")))
        chat.channels[0].report(.ended(.peerClosed(code: 1001)))
        chat.loop.run()
        #expect(
            chat.events == [
                .opened(g1, subprotocol: nil), .message(.text("hello"), g1),
                .closed(g1, .peerClosed(code: 1001)),
            ])
    }

    // W1, W2, W7, W15: the seed's fault: a late callback of the old connection.
    @Test func `hears nothing of an old generation once a new one is open`() throws {
        let chat = try Chat()
        chat.open()
        let old = chat.channels[0]
        old.report(.ended(.reset))
        chat.loop.advance(by: 1_000)
        let new = chat.channels[1]
        new.report(.opened(subprotocol: nil))
        chat.loop.run()
        let before = chat.events

        for late: TransportEvent<WebSocketMessage> in [
            .ended(.peerVanished), .opened(subprotocol: nil), .received(.text("late")), .pong(1),
            .sent(1), .pingHandedOver(1), .unsolicitedPong,
        ] {
            old.report(late)
        }
        chat.loop.run()
        #expect(chat.events == before)
        #expect(chat.connection.status == .open(g2))
        #expect(!new.isAborted)
    }

    @Test func `pings by the article's times, and closes once`() throws {  // W4, W5, W6, W10, W14
        let chat = try Chat()
        chat.open()
        chat.loop.advance(by: 99)
        #expect(chat.channels[0].pings.isEmpty)
        chat.loop.advance(by: 1)
        #expect(chat.channels[0].pings == [1])
        chat.loop.advance(by: 999)
        #expect(chat.channels[0].pings == [1])
        #expect(!chat.channels[0].isAborted)
        chat.loop.advance(by: 1)
        #expect(chat.channels[0].isAborted)
        #expect(chat.events.last == .closed(g1, .heartbeatTimedOut))
        chat.channels[0].report(.ended(.reset))
        chat.loop.run()
        #expect(chat.events.last == .closed(g1, .heartbeatTimedOut))
    }

    @Test func `is kept by answered pings, not by messages`() throws {  // W18
        let chat = try Chat()
        chat.open()
        for ping: UInt32 in 1...5 {
            chat.loop.advance(by: 100)
            chat.channels[0].report(.pong(ping))
            chat.loop.run()
        }
        #expect(chat.channels[0].pings == [1, 2, 3, 4, 5])
        for _ in 0..<11 {
            chat.channels[0].report(.received(.text("busy")))
            chat.loop.advance(by: 100)
        }
        #expect(chat.events.last == .closed(g1, .heartbeatTimedOut))
    }

    @Test func `never has two transports`() throws {
        let chat = try Chat()
        chat.open()
        chat.connection.reconnect()
        chat.connection.retryNow()
        chat.loop.run()
        #expect(chat.channels.count == 2)
        #expect(chat.channels[0].isAborted)
        #expect(chat.events.last == .closed(g1, .replaced))
        #expect(chat.connection.status == .connecting(g2))
    }

    @Test func `is closed by leaving the loop, and no timer stays`() throws {  // E15
        let chat = try Chat()
        chat.open()
        chat.stopReading()
        #expect(chat.channels[0].orders.contains(.close(code: 1000)))
        chat.channels[0].report(.ended(.peerClosed(code: 1000)))
        chat.loop.run()
        #expect(chat.channels[0].isAborted)
        #expect(chat.connection.status == .stopped(.closedLocally))
        #expect(chat.loop.armedTimers == 0)
        chat.loop.advance(by: 1_000_000)
        #expect(chat.channels.count == 1)
    }

    @Test func `leaves no timer when it is left while it waits`() throws {
        let chat = try Chat()
        chat.open()
        chat.channels[0].report(.ended(.reset))
        chat.loop.run()
        #expect(chat.loop.armedTimers == 1)
        chat.stopReading()
        #expect(chat.loop.armedTimers == 0)
    }

    @Test func `aborts a peer that never answers the close`() throws {
        let chat = try Chat()
        chat.open()
        chat.connection.close()
        chat.loop.advance(by: 4_999)
        #expect(!chat.channels[0].isAborted)
        chat.loop.advance(by: 1)
        #expect(chat.channels[0].isAborted)
        #expect(chat.events.last == .closed(g1, .closedLocally))
    }

    // W24
    @Test func `tells the facts of an end beside its cause`() throws {
        let chat = try Chat()
        chat.open()
        chat.loop.advance(by: 50)
        chat.channels[0].receiveClose(code: 4_001, reasonLength: 5)
        chat.report(.ended(.peerClosed(code: 4_001)))
        let end = try #require(chat.ends.first)
        #expect(end.age == 50)
        #expect(end.began == .peer)
        #expect(end.frames == CloseFrames(received: .init(code: 4_001, reasonLength: 5)))
        #expect(chat.records.connection.last?.end == end)
    }

    @Test(arguments: [1_000, 1_001, 3_000, 4_999] as [UInt16])
    func `closes with a code of the app's`(_ code: UInt16) throws {
        let chat = try Chat()
        chat.open()
        try chat.connection.close(code: code, reason: "bye")
        chat.connection.close()
        chat.loop.run()
        #expect(chat.channels[0].orders == [.close(code: code)])
        // The peer answers and then keeps TCP open: what it said is not lost.
        chat.channels[0].receiveClose(code: 1_000)
        chat.loop.advance(by: 5_000)
        let end = try #require(chat.ends.first)
        #expect(end.cause == .closedLocally)
        #expect(end.began == .local)
        #expect(end.frames == CloseFrames(received: .init(code: 1_000), sentCode: code))
        chat.read()
        chat.report(.opened(subprotocol: nil))
        chat.connection.close()
        chat.loop.run()
        #expect(chat.channels[1].orders == [.close(code: 1_000)])
    }

    @Test(arguments: [0, 999, 1_004, 1_005, 1_006, 1_015, 2_999, 5_000, .max] as [UInt16])
    func `refuses a code that may not be sent, and stays open`(_ code: UInt16) throws {
        let chat = try Chat()
        chat.open()
        #expect(throws: BelayError(.closeCodeNotAllowed(code), generation: .zero)) {
            try chat.connection.close(code: code)
        }
        chat.loop.run()
        #expect(chat.connection.status == .open(g1))
        #expect(chat.channels[0].orders.isEmpty)
    }

    @Test func `comes back no sooner than its server asks`() throws {
        let chat = try Chat()
        chat.read()
        chat.report(.ended(.handshakeRefused(status: 503), retryAfter: 120_000))
        chat.connection.pathChanged(.available)
        chat.loop.advance(by: 119_999)
        #expect(chat.channels.count == 1)
        chat.loop.advance(by: 1_001)
        #expect(chat.channels.count == 2)
    }

    @Test func `can be read again after it was left`() throws {
        let chat = try Chat()
        chat.open()
        chat.stopReading()
        chat.read()
        #expect(chat.channels.count == 2)
        chat.channels[1].report(.opened(subprotocol: nil))
        chat.loop.run()
        #expect(chat.events.last == .opened(g2, subprotocol: nil))
    }

    @Test func `ends its events where no attempt can help`() throws {
        let chat = try Chat()
        chat.read()
        chat.channels[0].report(.ended(.handshakeRefused(status: 403)))
        chat.loop.advance(by: 1_000_000)
        #expect(chat.events == [.closed(g1, .handshakeRefused(status: 403))])
        #expect(chat.channels.count == 1)
        #expect(chat.connection.outcome == .failed(.notAuthorized))
    }

    @Test func `probes when the app returns, and replaces what is dead`() throws {  // W23
        let chat = try Chat()
        chat.open()
        chat.connection.enterBackground()
        chat.loop.advance(by: 600_000)
        #expect(chat.channels[0].pings.isEmpty)
        chat.connection.enterForeground()
        chat.loop.run()
        #expect(chat.channels[0].pings == [1])
        chat.loop.advance(by: 3_000)
        #expect(chat.events.last == .closed(g1, .heartbeatTimedOut))
        chat.loop.advance(by: 1_000)
        #expect(chat.channels.count == 2)
    }

    @Test func `tells a lifetime limit once, and is replaced ahead of it`() throws {
        let chat = try Chat()
        chat.read()
        for _ in 1...3 {
            chat.report(.opened(subprotocol: nil))
            chat.live(for: 20_000)
            chat.report(.ended(.peerVanished))
            chat.waitOut()
        }
        #expect(chat.ends.map(\.suspectedLifetime) == [nil, nil, 20_000])
        chat.report(.opened(subprotocol: nil))
        chat.live(for: 18_000)
        #expect(chat.ends.last?.cause == .replaced)
        #expect(chat.ends.last?.suspectedLifetime == nil)
        #expect(chat.connection.status == .connecting(Generation(5)))
        #expect(chat.channels.count == 5)
    }

    @Test func `publishes how long its pings are on their way`() throws {
        let chat = try Chat()
        chat.open()
        #expect(chat.connection.roundTrip == nil)
        for (ping, length) in [(1, 40), (2, 120)] as [(UInt32, Milliseconds)] {
            chat.loop.advance(by: 100)
            chat.report(.pingHandedOver(ping))
            chat.loop.advance(by: length)
            chat.report(.pong(ping))
        }
        #expect(chat.connection.roundTrip?.last == 120)
        #expect(chat.connection.roundTrip?.smoothed == 50)
        #expect(chat.records.connection.compactMap(\.roundTrip) == [40, 120])
        chat.report(.ended(.reset))
        chat.waitOut()
        chat.report(.opened(subprotocol: nil))
        chat.loop.advance(by: 100)
        chat.loop.advance(by: 7)
        chat.report(.pong(1))
        #expect(chat.connection.roundTrip == RoundTrip(generation: g2, first: 7))
    }

    // P2, P12
    @Test func `publishes its outcomes in order`() throws {
        let chat = try Chat()
        let seen = Latest<[RequestOutcome]>([])
        let watching = Task(executorPreference: chat.loop) {
            for await outcome in chat.connection.outcomes { seen.publish(seen.value + [outcome]) }
        }
        chat.read()
        chat.report(.ended(.connectFailed(.refused)))
        chat.waitOut()
        chat.report(.opened(subprotocol: nil))
        chat.report(.ended(.reset))
        watching.cancel()
        #expect(
            seen.value == [.none, .failed(.notConnected), .succeeded, .failed(.interrupted)])
    }
}
