import Belay
import BelayCore
import BelayTesting
import BelayTransport
import Testing

/// What users of other clients reported, tried on ours; `Docs/bug-log.md` names each report.
@Suite struct `A WebSocket connection, after reports from the field` {
    let g1 = Generation(1)
    let g2 = Generation(2)

    @Test func `is opened anew from within the report of its end`() throws {
        let chat = try Chat()
        chat.read { [connection = chat.connection] event in
            if case .closed = event { connection.reconnect() }
        }
        chat.report(.opened(subprotocol: nil), .ended(.reset))
        let old = chat.channels[0]
        #expect(chat.connection.status == .connecting(g2))
        for late: TransportEvent<WebSocketMessage> in [
            .ended(.peerVanished), .pong(1), .received(.text("late")),
        ] {
            old.report(late)
        }
        chat.report(.opened(subprotocol: nil))
        #expect(chat.connection.status == .open(g2))
        chat.live(for: 60_000)
        #expect(chat.channels.count == 2)
        #expect(chat.events.count == 3)
    }

    @Test func `is closed from within the report of its opening, and no timer stays`() throws {
        let chat = try Chat()
        chat.read { [connection = chat.connection] event in
            if case .opened = event { connection.close() }
        }
        chat.report(.opened(subprotocol: nil))
        #expect(chat.channels[0].orders == [.close(code: 1_000)])
        chat.report(.ended(.peerClosed(code: 1_000)))
        #expect(chat.loop.armedTimers == 0)
        #expect(chat.events.last == .closed(g1, .closedLocally))
    }

    @Test func `tells one end where it is closed right after it began`() throws {
        let chat = try Chat()
        chat.read()
        chat.connection.close()
        chat.report(.ended(.connectFailed(.refused)), .ended(.reset))
        chat.loop.advance(by: 100_000)
        #expect(chat.events == [.closed(g1, .closedLocally)])
        #expect(chat.channels.count == 1)
    }

    @Test func `loses nothing that came before its reader looked`() throws {
        let chat = try Chat(allowance: 1)
        chat.read()
        chat.report(
            .opened(subprotocol: nil), .received(.text("in the segment of the 101")),
            .received(.text("and behind it")))
        chat.loop.advance(by: 50)
        chat.allow(.max)
        chat.loop.run()
        #expect(
            chat.events == [
                .opened(g1, subprotocol: nil), .message(.text("in the segment of the 101"), g1),
                .message(.text("and behind it"), g1),
            ])
    }

    enum Late: CaseIterable {
        case refusal, reset, opening

        var report: TransportEvent<WebSocketMessage> {
            switch self {
            case .refusal: .ended(.connectFailed(.refused))
            case .reset: .ended(.reset)
            case .opening: .opened(subprotocol: nil)
            }
        }
    }

    @Test(arguments: Late.allCases)
    func `is not moved by what becomes of an attempt that was replaced`(_ late: Late) throws {
        let chat = try Chat()
        chat.read()
        chat.connection.reconnect()
        chat.loop.run()
        chat.channels[0].report(late.report)
        chat.loop.run()
        #expect(chat.channels[0].isAborted)
        #expect(chat.connection.status == .connecting(g2))
        chat.report(.opened(subprotocol: nil))
        #expect(chat.events == [.closed(g1, .replaced), .opened(g2, subprotocol: nil)])
    }

    @Test func `is not kept alive by what an old transport still delivers`() throws {
        var configuration = ConnectionConfiguration()
        configuration.idleTimeout = .after(.seconds(5))
        let chat = try Chat(configuration: configuration, heartbeat: .off)
        chat.open()
        let old = chat.channels[0]
        chat.report(.ended(.reset))
        chat.waitOut()
        chat.report(.opened(subprotocol: nil))
        for _ in 1...5 {
            #expect(chat.connection.status == .open(g2))
            chat.loop.advance(by: 1_000)
            old.report(.received(.text("still here")))
            chat.loop.run()
        }
        #expect(chat.events.last == .closed(g2, .idleTimedOut))
    }

    @Test(arguments: [true, false])
    func `is lost and closed in one turn, and can be opened anew`(_ isLostFirst: Bool) throws {
        let chat = try Chat()
        chat.open()
        if isLostFirst { chat.channels[0].report(.ended(.reset)) }
        chat.connection.close()
        if !isLostFirst { chat.channels[0].report(.ended(.reset)) }
        chat.loop.run()
        #expect(chat.connection.status == .stopped(.closedLocally))
        #expect(chat.ends.count == 1)
        #expect(chat.loop.armedTimers == 0)
        chat.open()
        chat.report(.opened(subprotocol: nil))
        #expect(chat.connection.status == .open(g2))
    }

    @Test(arguments: [true, false])
    func `has one attempt alive after ten wishes`(_ isClosing: Bool) throws {
        let chat = try Chat()
        chat.open()
        if isClosing { chat.connection.close() } else { chat.report(.ended(.reset)) }
        for _ in 1...10 {
            chat.connection.retryNow()
            chat.connection.reconnect()
        }
        chat.loop.run()
        #expect(chat.channels.count { !$0.isAborted } == 1)
        chat.loop.advance(by: 4_000)
        #expect(chat.channels.count { !$0.isAborted } == 1)
    }

    @Test func `pings at its times, however much the server sends`() throws {
        let chat = try Chat()
        chat.open()
        for ping: UInt32 in 1...10 {
            for _ in 1...5 {
                chat.loop.advance(by: 20)
                chat.report(.received(.text("news")))
            }
            #expect(chat.channels[0].pings.last == ping)
            chat.report(.pong(ping))
        }
    }

    @Test func `judges a ping that came early from that ping on`() throws {
        var heartbeat = Chat.heartbeat
        heartbeat.firstJitter = 90
        let chat = try Chat(heartbeat: heartbeat)
        chat.open()
        let opened = chat.loop.now
        while chat.channels[0].pings.isEmpty { chat.loop.advance(by: 1) }
        #expect(chat.loop.now < opened + 100)
        chat.loop.advance(by: 999)
        #expect(chat.connection.status == .open(g1))
        chat.loop.advance(by: 1)
        #expect(chat.events.last == .closed(g1, .heartbeatTimedOut))
    }

    @Test func `is not given up while a large message is still coming`() throws {
        var configuration = ConnectionConfiguration()
        configuration.idleTimeout = .after(.seconds(2))
        let chat = try Chat(
            configuration: configuration,
            heartbeat: .every(.milliseconds(100), timeout: .seconds(1)))
        chat.open()
        chat.loop.advance(by: 100)
        chat.report(.pingHandedOver(1))
        // 10 MB at 250 kB/s, and the pong behind it.
        for _ in 1...80 {
            chat.loop.advance(by: 500)
            chat.report(.partlyReceived)
        }
        chat.report(.received(.text("all of it")), .pong(1))
        #expect(chat.connection.status == .open(g1))
        chat.loop.advance(by: 100)
        #expect(chat.channels[0].pings == [1, 2])
    }

    @Test func `is given up where a message drips for ever`() throws {
        let chat = try Chat(heartbeat: .every(.milliseconds(100), timeout: .seconds(1)))
        chat.open()
        chat.loop.advance(by: 100)
        chat.report(.pingHandedOver(1))
        for _ in 1...59 {
            chat.loop.advance(by: 999)
            chat.report(.partlyReceived)
        }
        #expect(chat.connection.status == .open(g1))
        for _ in 1...2 {
            chat.loop.advance(by: 999)
            chat.report(.partlyReceived)
        }
        #expect(chat.events.last == .closed(g1, .heartbeatTimedOut))
    }

    @Test func `neither pings nor waits longer while it closes`() throws {
        let chat = try Chat()
        chat.open()
        chat.connection.close()
        for _ in 1...49 {
            chat.loop.advance(by: 100)
            chat.report(.received(.text("not yet")))
        }
        #expect(chat.channels[0].orders == [.close(code: 1_000)])
        chat.loop.advance(by: 100)
        #expect(chat.channels[0].isAborted)
        #expect(chat.events.last == .closed(g1, .closedLocally))
    }

    @Test func `does not come back for a message that is over its limit`() throws {
        let chat = try Chat()
        chat.open()
        chat.report(.ended(.limitExceeded))
        chat.loop.advance(by: 1_000_000)
        #expect(chat.events.last == .closed(g1, .limitExceeded))
        #expect(chat.channels.count == 1)
    }

    @Test(
        arguments: [
            1_000, 1_001, 1_002, 1_003, 1_005, 1_007, 1_008, 1_009, 1_010, 1_011, 1_012, 1_013,
            1_014,
            3_000, 3_999, 4_000, 4_499, 4_999,
        ] as [UInt16])
    func `tells every code that its peer closed with`(_ code: UInt16) throws {
        let chat = try Chat()
        chat.open()
        chat.channels[0].receiveClose(code: code)
        chat.report(.ended(.peerClosed(code: code)))
        let end = try #require(chat.ends.first)
        #expect(end.cause == .peerClosed(code: code))
        #expect(end.frames.received?.code == code)
    }
}
