import Belay
import BelayFaults
import BelayTransport
import Testing

/// Many connections lose their peers again and again, while their apps pull every lever from other
/// threads. Under ThreadSanitizer it is also the proof that nothing is shared unguarded.
@Suite(.timeLimit(.minutes(5))) struct `A reconnect storm` {
    private static let apps = 20
    private static let ends = 25

    // W2, W15
    @Test func `mixes no generations of WebSockets, and gives each one end`() async throws {
        let faults: [(MomentPattern, Fault)] = [
            (.message(1), .tcp(.reset)), (.message(1), .tcp(.fin)), (.opened, .tcp(.reset)),
            (.message(1), .webSocket(.closeFrame(code: 1_001))), (.handshake, .http(.status(503))),
            (.message(1), .webSocket(.closeFrame(code: 1_012))), (.opened, .tcp(.stall)),
        ]
        try await storm(of: faults) { port in
            let chat = WebSocketConnection(
                url: try ConnectionURL("ws://127.0.0.1:\(port)/ws"),
                heartbeat: .every(.milliseconds(20), timeout: .milliseconds(200)),
                configuration: Self.configuration)
            let levers = Task { await Self.pullLevers(of: chat) }
            var seen: [WebSocketEvent] = []
            for await event in chat.events {
                seen.append(event)
                switch event {
                // On a connection that is lost by now it fails, as it should.
                case .opened: try? await chat.send("one")
                case .message: try? await chat.send("more")
                case .closed where seen.count { $0.isEnd } == Self.ends:
                    await Self.letGo(levers)
                    chat.close()
                case .closed: break
                }
            }
            #expect(Self.faults(in: seen).isEmpty)
            #expect(seen.count { $0.isEnd } >= Self.ends)
        }
    }

    // E1, E5, E9
    @Test func `loses no event of a stream, and applies none twice`() async throws {
        let faults: [(MomentPattern, Fault)] = [
            (.beforeEvent(1), .tcp(.reset)), (.afterID(1), .tcp(.fin)), (.opened, .tcp(.reset)),
            (.insideData(2), .tcp(.reset)), (.response, .http(.status(503))),
            (.beforeBlankLine(2), .tcp(.fin)), (.insideData(3), .tcp(.half(then: .reset))),
        ]
        try await storm(of: faults) { port in
            let feed = EventSource(
                url: try ConnectionURL("http://127.0.0.1:\(port)/events"),
                configuration: Self.configuration)
            let levers = Task { await Self.pullLevers(of: feed) }
            var applied: [String] = []
            try await feed.process { event in
                applied.append(event.lastEventID)
                guard event.lastEventID == "3" else { return }
                await Self.letGo(levers)
                feed.close()
            }
            #expect(applied == ["1", "2", "3"])
        }
    }

    /// Short waits, so that a storm is one.
    private static var configuration: ConnectionConfiguration {
        var configuration = ConnectionConfiguration()
        configuration.shortestWait = .milliseconds(1)
        configuration.firstWait = .milliseconds(1)
        configuration.longestWait = .milliseconds(2)
        configuration.restartWait = .milliseconds(1) ... .milliseconds(2)
        configuration.lifetimeFloor = nil
        return configuration
    }

    /// Runs many apps at once against an endpoint whose connections meet the faults in turn.
    private func storm(
        of faults: [(MomentPattern, Fault)], app: @escaping @Sendable (UInt16) async throws -> Void
    ) async throws {
        var rules = (0..<1_000).map { number in
            let (moment, fault) = faults[number % faults.count]
            return FaultRule(on: .only(number + 1), at: moment, fault)
        }
        // An app that lags behind its levers sees a part of its connections: none may last.
        rules.append(FaultRule(on: .from(rules.count + 1), at: faults[0].0, faults[0].1))
        let endpoint = Endpoint(plan: FaultPlan(rules: rules))
        let port = try await endpoint.start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.apps {
                group.addTask { try await app(port) }
            }
            try await group.waitForAll()
        }
        await endpoint.stop()
    }

    /// What else an app may do at any moment, from a task of its own: something at each status.
    private static func pullLevers(of connection: some Levers) async {
        var number = 0
        for await status in connection.statuses {
            if case .stopped = status { return }
            number += 1
            switch number % 5 {
            case 0: connection.retryNow()
            case 1: connection.pathChanged(.unavailable)
            case 2: connection.pathChanged(.available)
            case 3:
                connection.enterBackground()
                connection.enterForeground()
            default: connection.reconnect()
            }
        }
    }

    /// Before the connection is closed: a lever may take the close back.
    private static func letGo(_ levers: Task<Void, Never>) async {
        levers.cancel()
        await levers.value
    }

    /// What breaks the order that an app may count on.
    private static func faults(in events: [WebSocketEvent]) -> [String] {
        var (newest, open, faults) = (Generation.zero, Generation?.none, [String]())
        for event in events {
            switch event {
            case .opened(let id, _):
                if id <= newest || open != nil { faults.append("\(event) after \(newest)") }
                (newest, open) = (id, id)
            case .message(_, let id):
                if id != open { faults.append("\(event) while \(String(describing: open))") }
            case .closed(let end):
                let follows = open.map { $0 == end.generation } ?? (end.generation > newest)
                if !follows { faults.append("\(event) after \(newest)") }
                (newest, open) = (end.generation, nil)
            }
        }
        return faults
    }
}

extension WebSocketEvent {
    fileprivate var isEnd: Bool { if case .closed = self { true } else { false } }
}

/// The calls that both kinds of connection have.
private protocol Levers: Sendable {
    var statuses: LatestValues<ConnectionStatus> { get }
    func retryNow()
    func reconnect()
    func enterBackground()
    func enterForeground()
    func pathChanged(_ state: PathState)
}
extension WebSocketConnection: Levers {}
extension EventSource: Levers {}
