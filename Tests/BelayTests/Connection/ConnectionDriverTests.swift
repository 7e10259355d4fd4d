import Belay
import BelayCore
import BelayTesting
import BelayTransport
import Synchronization
import Testing

@Suite struct `The one door of a connection` {
    let g1 = Generation(1)
    let g2 = Generation(2)

    // W1, W2, W15, W22: each input once, in order, with its generation and verdict.
    @Test func `records every input once, in order`() throws {
        let chat = try Chat()
        chat.open()
        chat.loop.advance(by: 100)
        chat.report(.pingHandedOver(1), .pong(1), .received(.text("four")))
        let sending = chat.send("to you")
        chat.report(.sent(1), .unsolicitedPong, .ended(.reset), .ended(.peerVanished))
        chat.loop.advance(by: 1_000)
        chat.channels[0].report(.opened(subprotocol: nil))
        chat.report(.opened(subprotocol: nil))
        let lines = chat.records.connection.map { "\($0.input.name) \($0.verdict.name)" }
        #expect(
            lines == [
                "connect accepted", "opened accepted", "deadlineReached accepted",
                "pingHandedOver accepted", "pong accepted", "received accepted", "sent accepted",
                "unsolicitedPong unexpected", "ended accepted", "ended alreadyEnded",
                "deadlineReached accepted", "opened stale", "opened accepted",
            ])
        let sizes = chat.records.connection.compactMap(\.byteCount)
        #expect(sizes == [4, 6])
        sending.cancel()
    }

    // W22
    @Test func `records nothing of payloads, addresses and credentials`() throws {
        let secret = "hunter2"
        let chat = try Chat(
            url: "ws://127.0.0.1/\(secret)?token=\(secret)",
            fields: [try RequestField("Authorization", secret)])
        chat.open()
        chat.report(.received(.text(secret)))
        let sending = chat.send(secret)
        chat.report(.sent(1), .ended(.peerClosed(code: 1001)))
        #expect(chat.records.all.count == 5)
        #expect(!String(reflecting: chat.records.all).contains(secret))
        sending.cancel()
    }

    // W15: transition, effects and timer are one stretch, whatever a channel does meanwhile.
    @Test func `is not torn by a transport that reports from within its calls`() async throws {
        let loop = ManualLoop()
        let transport = EagerTransport(domain: loop)
        let records = Records()
        let chat = WebSocketConnection(
            url: try ConnectionURL("ws://127.0.0.1/"),
            heartbeat: .every(.milliseconds(100), timeout: .milliseconds(50)),
            transport: transport, generator: SeededGenerator(seed: 1),
            evidence: { records.take($0) })
        let reading = Task(executorPreference: loop) {
            var events: [WebSocketEvent] = []
            for await event in chat.events { events.append(event) }
            return events
        }
        loop.run()
        let sending = Task(executorPreference: loop) { try await chat.send(.text("echo")) }
        loop.advance(by: 450)
        try await sending.value
        #expect(chat.status == .open(g1))
        chat.close()
        loop.run()
        #expect(chat.status == .stopped(.closedLocally))
        #expect(transport.attempts == 1)
        #expect(
            await reading.value.map(Told.init) == [
                .opened(g1, subprotocol: nil), .message(.text("at once"), g1),
                .message(.text("echo"), g1), .closed(g1, .closedLocally),
            ])
        // Each status goes on from the one before it.
        let changes = records.connection.filter { $0.before != $0.after }
        #expect(zip(changes, changes.dropFirst()).allSatisfy { $0.after == $1.before })
    }

    // W16: what was meant for the old transport does not reach the new one.
    @Test func `closes no new transport for an old one's sake`() throws {
        let chat = try Chat()
        chat.open()
        chat.loop.advance(by: 1_099)
        chat.connection.reconnect()
        chat.loop.run()
        chat.report(.opened(subprotocol: nil))
        chat.loop.advance(by: 50)
        #expect(chat.channels[0].orders == [.ping(1), .abort])
        #expect(chat.channels[1].orders.isEmpty)
        #expect(chat.connection.status == .open(g2))
    }

    // W14, W24
    @Test func `tells one end for each generation`() throws {
        let chat = try Chat()
        chat.open()
        chat.loop.advance(by: 1_099)
        chat.channels[0].report(.ended(.reset))
        chat.channels[0].report(.ended(.peerVanished))
        chat.loop.advance(by: 1)
        chat.channels[0].report(.ended(.peerClosed(code: 1000)))
        chat.loop.run()
        #expect(chat.events == [.opened(g1, subprotocol: nil), .closed(g1, .reset)])
        let aborts = chat.channels[0].orders.count { $0 == .abort }
        #expect(aborts == 1)
    }

    // W2, P2
    @Test func `takes a late opening of an old generation for no success`() throws {
        let chat = try Chat()
        chat.read()
        chat.report(.ended(.openTimedOut))
        chat.channels[0].report(.opened(subprotocol: nil))
        chat.loop.run()
        #expect(chat.connection.outcome == .failed(.timedOut))
        #expect(chat.events == [.closed(g1, .openTimedOut)])
    }

    // P2: what we do ourselves is no finding about the server.
    @Test func `learns nothing of the server from an end of its own`() throws {
        let chat = try Chat()
        chat.read()
        chat.connection.reconnect()
        chat.loop.run()
        #expect(chat.connection.outcome == .none)
        chat.report(.ended(.connectFailed(.refused)))
        #expect(chat.connection.outcome == .failed(.notConnected))
        chat.loop.advance(by: 1_000)
        chat.connection.close()
        chat.loop.run()
        #expect(chat.connection.outcome == .failed(.notConnected))
    }

    @Test func `has one timer at most, whatever happens`() throws {
        var configuration = ConnectionConfiguration()
        configuration.idleTimeout = .after(.seconds(5))
        let chat = try Chat(configuration: configuration)
        chat.open()
        for _ in 0..<100 {
            chat.report(.received(.text("busy")))
            #expect(chat.loop.armedTimers == 1)
            chat.loop.advance(by: 7)
        }
    }
}

@Suite struct `A connection whose app lags` {
    let g1 = Generation(1)
    let g2 = Generation(2)

    private func laggingChat(elements: Int = 4) throws -> Chat {
        var configuration = ConnectionConfiguration()
        configuration.delivery = DeliveryLimit(elements: elements)
        return try Chat(configuration: configuration, allowance: 1)
    }

    private func fill(_ chat: Chat, with count: Int = 4) {
        for number in 1...count { chat.channels.last?.report(.received(.text("\(number)"))) }
        chat.loop.run()
    }

    // E12
    @Test func `is not read until the app caught up`() throws {
        let chat = try laggingChat()
        chat.open()
        fill(chat)
        #expect(chat.channels[0].orders == [.setReading(.paused)])
        chat.allow(2)
        chat.loop.run()
        #expect(chat.channels[0].orders == [.setReading(.paused)])
        chat.allow(3)
        chat.loop.run()
        #expect(chat.channels[0].orders == [.setReading(.paused), .setReading(.flowing)])
    }

    // W6: a pong that nobody reads cannot be missed.
    @Test func `is not judged while it is not read`() throws {
        let chat = try laggingChat()
        chat.open()
        chat.loop.advance(by: 100)
        #expect(chat.channels[0].pings == [1])
        fill(chat)
        chat.loop.advance(by: 600_000)
        #expect(chat.connection.status == .open(g1))
        #expect(chat.loop.armedTimers == 0)
        chat.allow(.max)
        chat.loop.run()
        chat.loop.advance(by: 999)
        #expect(chat.connection.status == .open(g1))
        chat.loop.advance(by: 1)
        #expect(chat.events.last == .closed(g1, .heartbeatTimedOut))
    }

    @Test func `records its pause and its end once, however much comes meanwhile`() throws {
        let chat = try laggingChat()
        chat.open()
        fill(chat, with: 9)
        chat.allow(.max)
        chat.loop.run()
        let pauses = chat.records.connection.filter { $0.input == .readingPaused(g1) }
        let resumptions = chat.records.connection.filter { $0.input == .readingResumed(g1) }
        #expect(pauses.map(\.verdict) == [.accepted])
        #expect(resumptions.map(\.verdict) == [.accepted])
    }

    @Test func `opens its next generation paused where the app still lags`() throws {
        let chat = try laggingChat()
        chat.open()
        fill(chat)
        chat.report(.ended(.reset))
        chat.loop.advance(by: 1_000)
        chat.report(.opened(subprotocol: nil))
        #expect(chat.channels[1].orders == [.setReading(.paused)])
        chat.loop.advance(by: 600_000)
        #expect(chat.connection.status == .open(g2))
        chat.allow(.max)
        chat.loop.run()
        #expect(chat.channels[1].orders == [.setReading(.paused), .setReading(.flowing)])
        #expect(chat.events.last == .opened(g2, subprotocol: nil))
        #expect(chat.events.count == 7)
    }

    @Test func `lets its next generation flow where the app caught up between the two`() throws {
        let chat = try laggingChat()
        chat.open()
        fill(chat)
        chat.report(.ended(.reset))
        chat.allow(.max)
        chat.loop.advance(by: 1_000)
        chat.report(.opened(subprotocol: nil), .received(.text("hello")))
        #expect(chat.channels[1].orders.isEmpty)
        #expect(chat.events.last == .message(.text("hello"), g2))
    }

    @Test func `does not flow for a word that came before it was full again`() throws {
        let chat = try laggingChat()
        chat.open()
        fill(chat)
        // The reader takes four; before its word arrives, four more were on their way.
        chat.allow(5)
        fill(chat)
        #expect(chat.channels[0].orders == [.setReading(.paused)])
        chat.allow(.max)
        chat.loop.run()
        #expect(chat.channels[0].orders == [.setReading(.paused), .setReading(.flowing)])
        #expect(chat.events.count == 9)
    }

    @Test func `is read while it closes, so that the peer's answer is seen`() throws {
        let chat = try laggingChat()
        chat.open()
        fill(chat)
        chat.connection.close()
        chat.report(.received(.text("not wanted any more")))
        #expect(
            chat.channels[0].orders == [
                .setReading(.paused), .close(code: 1000), .setReading(.flowing),
            ])
        chat.report(.ended(.peerClosed(code: 1000)))
        #expect(chat.connection.status == .stopped(.closedLocally))
        chat.allow(.max)
        chat.loop.run()
        #expect(chat.events.last == .closed(g1, .closedLocally))
        #expect(chat.events.count == 6)
    }

    // C5 and C11 of the field's reports.
    @Test(arguments: [true, false])
    func `stays bounded before a server that drops it ten thousand times`(opens: Bool) throws {
        let chat = try laggingChat(elements: 8)
        chat.open()
        for _ in 0..<10_000 {
            let channel = try #require(chat.channels.last)
            if opens { channel.report(.opened(subprotocol: nil)) }
            chat.loop.run()
            for _ in 0..<2 where opens && !channel.orders.contains(.setReading(.paused)) {
                channel.report(.received(.text("welcome")))
                chat.loop.run()
            }
            chat.report(.ended(opens ? .peerVanished : .connectFailed(.refused)))
            chat.waitOut()
        }
        #expect(chat.channels.count == 10_001)
        #expect(chat.channels.count { !$0.isAborted } == 1)
        #expect(chat.loop.armedTimers <= 1)
        chat.allow(.max)
        chat.loop.run()
        #expect(chat.events.count <= 12)
    }

    // C11 of the field's reports: with a reader nothing is left behind either.
    @Test func `leaves channels, timers and queue flat over ten thousand connections`() throws {
        let chat = try Chat()
        chat.open()
        for _ in 0..<10_000 {
            chat.report(.received(.text("hello")), .ended(.reset))
            chat.waitOut()
            chat.report(.opened(subprotocol: nil))
            if chat.loop.armedTimers != 1 { Issue.record("\(chat.loop.armedTimers) timers") }
        }
        #expect(chat.channels.count { !$0.isAborted } == 1)
        #expect(chat.events.count == 30_001)
    }
}

/// Whichever transport there is: the scripted one would have taken the request.
@Suite struct `A connection whose request nobody could send` {
    @Test(
        arguments: [
            ("http://127.0.0.1/", [], .url), ("ws://127.0.0.1/", ["a\nb"], .subprotocol),
            ("ws://127.0.0.1/", ["chat", "chat"], .subprotocol),
        ] as [(String, [String], RequestPart)])
    func `ends once and for good, and nothing is opened`(
        _ url: String, _ subprotocols: [String], _ part: RequestPart
    ) throws {
        let chat = try Chat(url: url, subprotocols: subprotocols)
        chat.read()
        chat.loop.advance(by: 1_000_000)
        #expect(chat.channels.isEmpty)
        #expect(chat.ends.map(\.cause) == [.requestInvalid(part)])
        #expect(chat.connection.status == .stopped(.requestInvalid(part)))
        #expect(chat.loop.armedTimers == 0)
    }

    @Test func `ends so too where a hook answers such a request`() async throws {
        let elsewhere = try ConnectionURL("wss://127.0.0.1/")
        let loop = ManualLoop()
        let feed = try Feed(
            loop: loop,
            requestHook: RequestHook(on: loop) { request, _ in
                var request = request
                request.url = elsewhere
                return request
            })
        let processing = feed.process()
        loop.advance(by: 1_000_000)
        #expect(await processing.value?.code == .closed(.requestInvalid(.url)))
        #expect(feed.channels.isEmpty)
        #expect(loop.armedTimers == 0)
    }

    @Test func `may be closed before its end is told`() async throws {
        let loop = ManualLoop()
        let chat = Mutex<WebSocketConnection?>(nil)
        let connection = WebSocketConnection(
            url: try ConnectionURL("ws://127.0.0.1/"), subprotocols: ["a b"],
            transport: ScriptedWebSocketTransport(domain: loop),
            evidence: {
                // In the turn that begins: its end has a turn of its own, behind this close's.
                guard case .connection(let record) = $0, record.input == .connect else { return }
                chat.withLock { $0.take() }?.close()
            })
        chat.withLock { $0 = connection }
        let reading = Task(executorPreference: loop) {
            var events: [Told] = []
            for await event in connection.events { events.append(Told(event)) }
            return events
        }
        loop.advance(by: 1_000_000)
        #expect(await reading.value == [.closed(Generation(1), .closedLocally)])
        #expect(loop.armedTimers == 0)
    }
}
