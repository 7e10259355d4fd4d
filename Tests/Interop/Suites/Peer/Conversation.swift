import Belay
import Testing

/// One reader of a connection, who asks for the next event and knows what it must be.
///
/// Each event is held to the law of generations: nothing comes of one that is over.
struct Conversation {
    /// Another event came, or none: the connection or the test's time ended.
    struct Surprise: Error {
        let event: WebSocketEvent?
    }

    /// Waits that pass by `retryNow` only, so that a test knows each attempt.
    static let byHand = {
        var configuration = ConnectionConfiguration()
        configuration.shortestWait = .seconds(3_600)
        return configuration
    }()

    let connection: WebSocketConnection
    private var events: WebSocketConnection.Events.Iterator
    private var open: Generation?
    private(set) var newest = Generation.zero

    init(
        _ url: String, heartbeat: HeartbeatPolicy = .off,
        configuration: ConnectionConfiguration = byHand, subprotocols: [String] = [],
        transport: any WebSocketTransport = DefaultTransport.webSocket
    ) throws {
        connection = WebSocketConnection(
            url: try ConnectionURL(url), heartbeat: heartbeat, configuration: configuration,
            subprotocols: subprotocols, transport: transport)
        events = connection.events.makeAsyncIterator()
    }

    /// The next event must open a generation; answers its subprotocol.
    @discardableResult
    mutating func opened() async throws -> String? {
        let event = await next()
        guard case .opened(_, let subprotocol) = event else { throw Surprise(event: event) }
        return subprotocol
    }

    /// The next event must be a message.
    mutating func message() async throws -> WebSocketMessage {
        let event = await next()
        guard case .message(let message, _) = event else { throw Surprise(event: event) }
        return message
    }

    /// The next event must end a generation.
    mutating func closed() async throws -> CloseFacts {
        let event = await next()
        guard case .closed(let facts) = event else { throw Surprise(event: event) }
        return facts
    }

    /// Says a message, and answers the next one.
    mutating func reply(to message: WebSocketMessage) async throws -> WebSocketMessage {
        try await connection.send(message)
        return try await self.message()
    }

    /// There must be no further event.
    mutating func ended() async throws {
        if let event = await next() { throw Surprise(event: event) }
    }

    private mutating func next() async -> WebSocketEvent? {
        let event = await events.next()
        switch event {
        case .opened(let generation, _):
            #expect(open == nil && generation == newest.next)
            (open, newest) = (generation, generation)
        case .message(_, let generation):
            #expect(generation == open)
        case .closed(let facts):
            #expect(facts.generation == open ?? newest.next)
            (open, newest) = (nil, facts.generation)
        case nil: break
        }
        return event
    }
}
