import BelayCore
import BelayTesting
import BelayTransport
import Synchronization
import Testing

@testable import Belay

/// A WebSocket connection, its scripted transport and its reader, in virtual time on one thread.
final class Chat: Sendable {
    let loop: ManualLoop
    let transport: ScriptedWebSocketTransport
    let connection: WebSocketConnection
    let records = Records()
    private let collected = Mutex<[WebSocketEvent]>([])
    private let reader = Mutex<Task<Void, Never>?>(nil)
    /// How many events the reader may take before it dwells on the last one.
    private let allowance: Latest<Int>

    init(
        loop: ManualLoop = ManualLoop(),
        configuration: ConnectionConfiguration = ConnectionConfiguration(),
        url: String = "ws://127.0.0.1/",
        subprotocols: [String] = [],
        fields: [RequestField] = [],
        requestHook: RequestHook<WebSocketRequest>? = nil,
        heartbeat: HeartbeatPolicy = Chat.heartbeat,
        allowance: Int = .max
    ) throws {
        self.loop = loop
        transport = ScriptedWebSocketTransport(domain: loop)
        self.allowance = Latest(allowance)
        connection = WebSocketConnection(
            url: try ConnectionURL(url),
            heartbeat: heartbeat,
            configuration: configuration,
            subprotocols: subprotocols,
            fields: fields,
            requestHook: requestHook,
            transport: transport,
            generator: SeededGenerator(seed: 1),
            evidence: { [records] in records.take($0) })
    }

    /// A ping every 100 ms, dead after a second.
    static let heartbeat = {
        var heartbeat = HeartbeatPolicy.every(.milliseconds(100), timeout: .seconds(1))
        // Scripted pings are not handed over, and must be late all the same.
        heartbeat.queuedTimeout = .seconds(1)
        return heartbeat
    }()

    /// What the reader was told, with an end as its generation and cause.
    var events: [Told] { collected.withLock { $0.map(Told.init) } }
    /// The ends the reader was told of, with their facts.
    var ends: [CloseFacts] {
        collected.withLock { $0.compactMap { if case .closed(let end) = $0 { end } else { nil } } }
    }
    var channels: [ScriptedWebSocketTransport.Scripted] { transport.channels }

    /// Begins to read, and opens the first generation.
    func open() {
        read()
        channels[0].report(.opened(subprotocol: nil))
        loop.run()
    }

    /// Begins to read; the reader's loop calls `react` for each event, on its own task.
    @discardableResult
    func read(
        _ react: @escaping @Sendable (WebSocketEvent) -> Void = { _ in }
    ) -> Task<Void, Never> {
        let task = Task(executorPreference: loop) { [self] in
            for await event in connection.events {
                let count = collected.withLock { events in
                    events.append(event)
                    return events.count
                }
                react(event)
                for await allowed in LatestValues(source: allowance) where allowed > count { break }
            }
        }
        reader.withLock { $0 = task }
        loop.run()
        return task
    }

    func stopReading() {
        reader.withLock { $0?.cancel() }
        loop.run()
    }

    /// Lets the reader take events until it has `count` of them; it moves in the next turn.
    func allow(_ count: Int) {
        allowance.publish(count)
    }

    /// The newest channel reports `events`, and everything that can happen has happened.
    func report(_ events: TransportEvent<WebSocketMessage>...) {
        for event in events { channels[channels.count - 1].report(event) }
        loop.run()
    }

    /// Lets time pass, and each ping be answered at once.
    func live(for length: Milliseconds) {
        let end = loop.now + length
        while loop.now < end {
            loop.advance(by: min(100, end - loop.now))
            report(.pong(UInt32(channels[channels.count - 1].pings.count)))
        }
    }

    /// Lets the present wait pass, to the millisecond.
    func waitOut() {
        guard case .waiting(let until) = connection.status else { return }
        loop.advance(to: until)
    }

    func send(_ text: String) -> Task<BelayError?, Never> {
        let task = Task(executorPreference: loop) { [connection] () -> BelayError? in
            do throws(BelayError) {
                try await connection.send(.text(text))
                return nil
            } catch {
                return error
            }
        }
        loop.run()
        return task
    }
}

/// A `WebSocketEvent`, its end without the facts that few tests are about.
enum Told: Hashable {
    case opened(Generation, subprotocol: String?)
    case message(WebSocketMessage, Generation)
    case closed(Generation, CloseCause)

    init(_ event: WebSocketEvent) {
        switch event {
        case .opened(let id, let subprotocol): self = .opened(id, subprotocol: subprotocol)
        case .message(let message, let id): self = .message(message, id)
        case .closed(let end): self = .closed(end.generation, end.cause)
        }
    }
}

/// Evidence in the order it was given.
final class Records: Sendable {
    private let taken = Mutex<[EvidenceRecord]>([])

    func take(_ record: EvidenceRecord) {
        taken.withLock { $0.append(record) }
    }

    var all: [EvidenceRecord] { taken.withLock { $0 } }

    var connection: [ConnectionRecord] {
        all.compactMap { if case .connection(let record) = $0 { record } else { nil } }
    }

    var event: [EventRecord] {
        all.compactMap { if case .event(let record) = $0 { record } else { nil } }
    }

    var path: [PathRecord] {
        all.compactMap { if case .path(let record) = $0 { record } else { nil } }
    }
}
