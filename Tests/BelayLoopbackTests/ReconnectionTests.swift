import Belay
import BelayCore
import BelayFaults
import BelayTCP
import BelayTransport
import Synchronization
import Testing

/// What the endpoint sees of an event stream that comes back.
@Suite(.timeLimit(.minutes(5))) struct `An event stream that comes back, on real sockets` {
    private static var configuration: ConnectionConfiguration {
        var configuration = ConnectionConfiguration()
        configuration.shortestWait = .milliseconds(1)
        configuration.firstWait = .milliseconds(1)
        configuration.longestWait = .milliseconds(2)
        return configuration
    }

    private func requests(_ endpoint: Endpoint) async -> [RequestSummary] {
        await endpoint.record.entries.compactMap {
            if case .request(let request) = $0.event { request } else { nil }
        }
    }

    // E10
    @Test func `goes through refusals and drops of every kind, until it is told to stop`()
        async throws
    {
        let endpoint = Endpoint(
            plan: FaultPlan(rules: [
                FaultRule(on: 1, at: .afterEvent(.only(1)), .tcp(.fin)),
                FaultRule(on: 2, at: .response, .http(.status(502))),
                FaultRule(on: 3, at: .response, .http(.status(503, retryAfter: 0))),
                FaultRule(on: 4, at: .response, .http(.status(429, retryAfter: 0))),
                FaultRule(on: 5, at: .insideData(.only(1)), .tcp(.reset)),
                FaultRule(on: 7, at: .response, .http(.status(204))),
            ]))
        let port = try await endpoint.start()
        let feed = EventSource(
            url: try ConnectionURL("http://127.0.0.1:\(port)/events"),
            configuration: Self.configuration)
        var events: [String] = []
        try await feed.process { events.append($0.data) }
        #expect(events == ["queued", "building", "finished"])
        // Each says what was processed by then; a handler may return after the next request.
        let cursors = await requests(endpoint).map { Int($0.lastEventID ?? "0") ?? -1 }
        #expect(cursors.count == 7)
        #expect(cursors == cursors.sorted())
        await endpoint.stop()
    }

    // E10
    @Test func `keeps Retry-After for one wait`() async throws {
        let endpoint = Endpoint(
            plan: FaultPlan(rules: [
                FaultRule(on: 1, at: .response, .http(.status(503, retryAfter: 1))),
                FaultRule(on: 2, at: .responseSent, .tcp(.reset)),
                FaultRule(on: 3, at: .response, .http(.status(204))),
            ]))
        let port = try await endpoint.start()
        let waits = Mutex<[Milliseconds]>([])
        let ends = Mutex<Milliseconds>(0)
        let feed = EventSource(
            url: try ConnectionURL("http://127.0.0.1:\(port)/events"),
            configuration: Self.configuration,
            evidence: { record in
                guard case .connection(let record) = record else { return }
                if case .waiting(let until) = record.after, record.cause != nil {
                    waits.withLock { $0.append(until - record.at) }
                }
                ends.withLock { $0 = record.at }
            })
        try await feed.process { _ in }
        let drawn = waits.withLock { $0 }
        #expect(drawn.count == 2)
        #expect((1_001...1_002).contains(drawn[0]))
        #expect(drawn[1] <= 4)
        await endpoint.stop()
    }

    // E2
    @Test func `takes a snapshot where the endpoint does not know its cursor`() async throws {
        let endpoint = Endpoint(
            plan: FaultPlan(rules: [
                FaultRule(on: 1, at: .response, .http(.status(410))),
                FaultRule(on: 2, at: .response, .http(.field(name: "X-Resume", value: "gone"))),
            ]))
        let port = try await endpoint.start()
        let asked = Mutex<[StaleCursor]>([])
        let hook = SnapshotHook(
            on: .status(410), .field(try RequestField("x-resume", "gone"))
        ) { stale in
            asked.withLock { $0.append(stale) }
            return .from(EventID(stale.generation.number == 1 ? "1" : "2"))
        }
        let feed = EventSource(
            url: try ConnectionURL("http://127.0.0.1:\(port)/events"),
            ledger: MemoryLedger(lastEventID: "900"), configuration: Self.configuration,
            snapshotHook: hook)
        var events: [String] = []
        try await feed.process { event in
            events.append(event.data)
            feed.close()
        }
        #expect(events == ["finished"])
        #expect(await requests(endpoint).prefix(3).map(\.lastEventID) == ["900", "1", "2"])
        let stale = asked.withLock { $0 }
        #expect(stale.map(\.cause) == [.handshakeRefused(status: 410), .cursorTooOld])
        #expect(stale.map(\.cursor) == [EventID("900"), EventID("1")])
        await endpoint.stop()
    }

    @Test(arguments: [RequestMethod.post, .report])
    func `sends its content again at each attempt`(_ method: RequestMethod) async throws {
        let endpoint = Endpoint(
            plan: FaultPlan(rules: [
                FaultRule(on: 1, at: .afterEvent(.only(1)), .tcp(.fin)),
                FaultRule(on: 2, at: .response, .http(.status(503))),
                FaultRule(on: 4, at: .response, .http(.status(204))),
            ]))
        let port = try await endpoint.start()
        let feed = EventSource(
            EventStreamRequest(
                url: try ConnectionURL("http://127.0.0.1:\(port)/events"), method: method,
                body: Array(repeating: UInt8(ascii: "q"), count: 100_000)),
            configuration: Self.configuration)
        try await feed.process { _ in }
        let record = await endpoint.record
        #expect(record.entries.count { $0.event == .bodyReceived(byteCount: 100_000) } == 4)
        #expect(await requests(endpoint).map(\.method) == Array(repeating: method.name, count: 4))
        await endpoint.stop()
    }

    @Test func `says the same bytes at each attempt, but for its cursor and fresh fields`()
        async throws
    {
        let peer = RecordingPeer()
        let port = try await peer.start()
        let hook = RequestHook<EventStreamRequest> { request, attempt in
            var request = request
            request.fields.append(try RequestField("X-Token", "\(attempt.generation)"))
            return request
        }
        let feed = EventSource(
            EventStreamRequest(
                url: try ConnectionURL("http://127.0.0.1:\(port)/"), method: .post,
                body: Array("why?".utf8)),
            configuration: Self.configuration, requestHook: hook)
        try await feed.process { event in
            if event.lastEventID == "3" { feed.close() }
        }
        let requests = await peer.requests
        await peer.stop()
        for (number, request) in requests.prefix(3).enumerated() {
            // What was processed by then.
            let cursor =
                (1...3).map { "Last-Event-ID: \($0)\r\n" }.first(where: request.contains) ?? ""
            #expect(
                request == """
                    POST / HTTP/1.1\r
                    Host: 127.0.0.1:\(port)\r
                    Accept: text/event-stream\r
                    Cache-Control: no-cache\r
                    Accept-Encoding: identity\r
                    \(cursor)X-Token: g\(number + 1)\r
                    Content-Length: 4\r
                    \r
                    why?
                    """)
        }
    }
}

/// Answers each request with one event more, and keeps what it was sent.
private actor RecordingPeer {
    nonisolated var unownedExecutor: UnownedSerialExecutor { EventLoop.shared.executor }
    private var listener: TCPListener?
    private let held = Held()

    private final class Held {
        var connections: [Connection] = []
    }

    private final class Connection: TCPStreamDelegate {
        let number: Int
        var text = ""

        init(number: Int) {
            self.number = number
        }

        func stream(_ stream: TCPStream, received bytes: UnsafeRawBufferPointer) {
            text += String(decoding: bytes, as: UTF8.self)
            guard text.hasSuffix("why?") else { return }
            stream.write(
                Array(
                    """
                    HTTP/1.1 200 OK\r
                    Content-Type: text/event-stream\r
                    \r
                    id: \(number)
                    data: x


                    """.utf8))
            stream.close()
        }

        func streamEnded(_ stream: TCPStream) { stream.close() }
        func streamClosed(_ stream: TCPStream, error: SocketError?) {}
    }

    var requests: [String] { held.connections.map(\.text) }

    func start() throws -> UInt16 {
        let listener = try TCPListener(on: .shared) { [held] stream in
            let connection = Connection(number: held.connections.count + 1)
            held.connections.append(connection)
            stream.start(connection)
        }
        self.listener = listener
        return listener.address.port
    }

    func stop() {
        listener?.close()
        listener = nil
    }
}
