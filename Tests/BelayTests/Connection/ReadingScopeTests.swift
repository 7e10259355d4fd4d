import Belay
import BelayCore
import BelayTesting
import BelayTransport
import Synchronization
import Testing

@Suite struct `The scope of a reader` {
    let g1 = Generation(1)
    let g2 = Generation(2)

    /// A wish to connect that has no reader.
    enum Wish: CaseIterable {
        case retryNow
        case reconnect

        func make(of connection: WebSocketConnection) {
            switch self {
            case .retryNow: connection.retryNow()
            case .reconnect: connection.reconnect()
            }
        }
    }

    @Test(arguments: Wish.allCases)
    func `is the only one in which anything connects`(wish: Wish) throws {
        let chat = try Chat()
        wish.make(of: chat.connection)
        chat.loop.run()
        #expect(chat.channels.isEmpty)
        chat.open()
        chat.stopReading()
        chat.report(.ended(.peerClosed(code: 1000)))
        wish.make(of: chat.connection)
        chat.loop.advance(by: 100_000)
        #expect(chat.channels.count == 1)
        #expect(chat.connection.status == .stopped(.closedLocally))
    }

    @Test(arguments: Wish.allCases)
    func `is not reached by a wish once its events have ended`(wish: Wish) throws {
        let chat = try Chat(allowance: 1)
        chat.read()
        chat.report(.ended(.handshakeRefused(status: 404)))
        wish.make(of: chat.connection)
        chat.loop.run()
        #expect(chat.channels.count == 1)
        chat.allow(.max)
        chat.loop.run()
        chat.read()
        #expect(chat.channels.count == 2)
    }

    // C1 of the field's reports.
    @Test func `can take its close back while the peer has not answered`() throws {
        let chat = try Chat()
        chat.open()
        chat.connection.close()
        chat.connection.retryNow()
        chat.loop.run()
        #expect(chat.events == [.opened(g1, subprotocol: nil), .closed(g1, .closedLocally)])
        chat.report(.opened(subprotocol: nil))
        #expect(chat.events.last == .opened(g2, subprotocol: nil))
    }

    /// In the first life, and in a later one.
    @Test(arguments: 0...1)
    func `does not begin where it was called before a close`(lives: Int) throws {
        let chat = try Chat()
        for _ in 0..<lives {
            chat.open()
            chat.connection.close()
            chat.report(.ended(.peerClosed(code: 1000)))
        }
        let hasEnded = Mutex(false)
        _ = Task(executorPreference: chat.loop) {
            var iterator = chat.connection.events.makeAsyncIterator()
            chat.connection.close()
            if await iterator.next() == nil { hasEnded.withLock { $0 = true } }
        }
        chat.loop.run()
        #expect(hasEnded.withLock { $0 })
        #expect(chat.channels.count == lives)
        #expect(chat.connection.status == .stopped(.closedLocally))
        chat.read()
        #expect(chat.channels.count == lives + 1)
    }

    @Test func `does not begin where its task has not run before the first close`() throws {
        let chat = try Chat()
        let hasEnded = Mutex(false)
        _ = Task(executorPreference: chat.loop) {
            for await _ in chat.connection.events {}
            hasEnded.withLock { $0 = true }
        }
        try chat.connection.close(code: 1001)
        chat.loop.run()
        #expect(hasEnded.withLock { $0 })
        #expect(chat.channels.isEmpty)
        chat.read()
        #expect(chat.channels.count == 1)
    }

    // C1 of the field's reports.
    @Test func `begins after a close between two of them`() throws {
        let chat = try Chat()
        chat.open()
        chat.stopReading()
        chat.connection.close()
        chat.loop.run()
        chat.read()
        #expect(chat.channels.count == 2)
    }

    @Test func `shows a second reader nothing of the first one's connection`() throws {
        let chat = try Chat()
        chat.open()
        chat.stopReading()
        chat.read()
        chat.report(.opened(subprotocol: nil))
        #expect(chat.events == [.opened(g1, subprotocol: nil), .opened(g2, subprotocol: nil)])
        #expect(chat.channels[0].isAborted)
    }

    @Test func `belongs to one reader: a second one ends at once, and disturbs nothing`()
        async throws
    {
        let chat = try Chat()
        chat.open()
        let second = Task(executorPreference: chat.loop) {
            var events: [WebSocketEvent] = []
            for await event in chat.connection.events { events.append(event) }
            return events
        }
        chat.loop.run()
        #expect(await second.value.isEmpty)
        chat.report(.received(.text("to the first")))
        #expect(chat.events.last == .message(.text("to the first"), g1))
        #expect(chat.connection.status == .open(g1))
    }

    // E15
    @Test func `does not begin for a task that is cancelled already`() async throws {
        let chat = try Chat()
        let reading = Task(executorPreference: chat.loop) {
            for await _ in chat.connection.events {}
        }
        reading.cancel()
        chat.loop.run()
        await reading.value
        #expect(chat.channels.isEmpty)
        #expect(chat.connection.status == .idle)
    }

    // E15, A8 of the field's reports.
    @Test func `ends an attempt that has not opened`() throws {
        let chat = try Chat()
        chat.read()
        chat.stopReading()
        #expect(chat.channels[0].orders == [.abort])
        chat.report(.opened(subprotocol: nil))
        #expect(chat.connection.status == .stopped(.closedLocally))
        #expect(chat.loop.armedTimers == 0)
    }
}

@Suite struct `The life of a connection's objects` {
    /// Lives as long as the driver that holds the evidence closure.
    private final class Token: Sendable {
        func take(_ record: EvidenceRecord) {}
    }

    /// A connection that the test can let go of.
    private final class Held {
        let loop = ManualLoop()
        let transport: ScriptedWebSocketTransport
        private(set) weak var driver: Token?
        private(set) var connection: WebSocketConnection?
        private var reader: Task<[WebSocketEvent], Never>?

        init() throws {
            transport = ScriptedWebSocketTransport(domain: loop)
            let token = Token()
            driver = token
            connection = WebSocketConnection(
                url: try ConnectionURL("ws://127.0.0.1/"), transport: transport,
                generator: SeededGenerator(seed: 1), evidence: { token.take($0) })
        }

        func read(first count: Int) {
            guard let events = connection?.events else { return }
            reader = Task(executorPreference: loop) {
                var taken: [WebSocketEvent] = []
                for await event in events {
                    taken.append(event)
                    if taken.count == count { break }
                }
                return taken
            }
            loop.run()
        }

        func report(_ event: TransportEvent<WebSocketMessage>) {
            transport.channels[transport.channels.count - 1].report(event)
            loop.run()
        }

        func drop() {
            connection = nil
            loop.run()
        }
    }

    @Test func `the reading loop keeps it alive, whoever else lets it go`() throws {
        let held = try Held()
        held.read(first: 2)
        held.drop()
        held.report(.opened(subprotocol: nil))
        #expect(held.driver != nil)
        held.report(.ended(.reset))
        #expect(held.driver == nil)
        #expect(held.loop.armedTimers == 0)
    }

    @Test func `nothing keeps it once it is let go and not read`() throws {
        let held = try Held()
        held.drop()
        #expect(held.driver == nil)
    }

    // The closing handshake ends as the peer may expect, though nobody waits for it.
    @Test func `it says goodbye after its last owner has gone`() throws {
        let held = try Held()
        held.read(first: 1)
        held.report(.opened(subprotocol: nil))
        held.drop()
        #expect(held.transport.channels[0].orders == [.close(code: 1000)])
        #expect(held.driver != nil)
        held.report(.ended(.peerClosed(code: 1000)))
        #expect(held.transport.channels[0].isAborted)
        #expect(held.driver == nil)
        #expect(held.loop.armedTimers == 0)
    }

    @Test func `it waits for the peer's goodbye no longer than the close timeout`() throws {
        let held = try Held()
        held.read(first: 1)
        held.report(.opened(subprotocol: nil))
        held.drop()
        held.loop.advance(by: 4_999)
        #expect(!held.transport.channels[0].isAborted)
        held.loop.advance(by: 1)
        #expect(held.transport.channels[0].isAborted)
        #expect(held.driver == nil)
    }

    @Test func `observers of its status end with it`() async throws {
        let held = try Held()
        let statuses = try #require(held.connection?.statuses)
        let observing = Task(executorPreference: held.loop) {
            var seen: [ConnectionStatus] = []
            for await status in statuses { seen.append(status) }
            return seen
        }
        held.read(first: 1)
        held.report(.opened(subprotocol: nil))
        held.report(.ended(.peerClosed(code: 1000)))
        held.drop()
        let seen = await observing.value
        #expect(seen.last == .stopped(.closedLocally))
    }
}
