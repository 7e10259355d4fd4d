import Belay
import BelayCore
import BelayFaults
import BelayTransport
import BelayURLSession
import Testing

/// The drivers in a domain that is a Dispatch queue, over URLSession itself.
@Suite(.timeLimit(.minutes(5))) struct `A driver over URLSession` {
    private static var configuration: ConnectionConfiguration {
        var configuration = ConnectionConfiguration()
        configuration.shortestWait = .milliseconds(1)
        configuration.firstWait = .milliseconds(2)
        configuration.longestWait = .milliseconds(2)
        return configuration
    }

    // E2, E6, E9
    @Test func `resumes an event stream behind each cut, and handles every event once`()
        async throws
    {
        let endpoint = Endpoint(
            plan: FaultPlan(rules: [
                FaultRule(on: 1, at: .afterEvent(1), .tcp(.fin)),
                FaultRule(on: 2, at: .insideData(1), .tcp(.fin)),
                FaultRule(on: 3, at: .afterEvent(1), .tcp(.reset)),
            ]))
        let port = try await endpoint.start()
        let feed = EventSource(
            url: try ConnectionURL("http://127.0.0.1:\(port)/events"),
            configuration: Self.configuration,
            transport: URLSessionEventStreamTransport(in: DispatchDomain(label: "driver")))
        var handled: [String] = []
        try await feed.process { event in
            handled.append(event.data)
            if event.lastEventID == "3" { feed.close() }
        }
        #expect(handled == ["queued", "building", "finished"])
        await endpoint.stop()
    }

    /// On Linux the system's class says that it has no WebSockets; elsewhere nobody listens.
    @Test func `ends WebSocket attempts that cannot connect, each once`() async throws {
        var configuration = Self.configuration
        configuration.attemptLimit = 3
        let chat = WebSocketConnection(
            url: try ConnectionURL("ws://127.0.0.1:1/"), configuration: configuration,
            transport: URLSessionWebSocketTransport(in: DispatchDomain(label: "driver")))
        var ends: [CloseFacts] = []
        for await event in chat.events {
            if case .closed(let end) = event { ends.append(end) }
        }
        #expect(ends.map(\.generation.number) == Array(1...UInt64(ends.count)))
        // No time would give the class WebSockets: that attempt is the last.
        let refused = CloseCause.connectFailed(.refused)
        let causes = ends.map(\.cause)
        #expect(causes == [.requestInvalid(.url)] || causes == [refused, refused, refused])
    }
}
