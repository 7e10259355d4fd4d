import Belay
import BelayFaults
import BelayTCP
import BelayTransport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `The open timeout` {
    /// Accepts connections and says nothing.
    private actor SilentServer {
        nonisolated var unownedExecutor: UnownedSerialExecutor { EventLoop.shared.executor }
        private var listener: TCPListener?
        private let held = Held()

        private final class Held {
            var streams: [TCPStream] = []
        }

        func start() throws -> UInt16 {
            let listener = try TCPListener(on: .shared) { [held] in held.streams.append($0) }
            self.listener = listener
            return listener.address.port
        }

        func stop() {
            listener?.close()
            listener = nil
            for stream in held.streams { stream.reset() }
            held.streams = []
        }
    }

    @Test(arguments: ["ws", "wss"])
    func `covers a handshake that nobody answers`(_ scheme: String) async throws {  // C13, D7
        let server = SilentServer()
        let port = try await server.start()
        var configuration = ConnectionConfiguration()
        configuration.openTimeout = .milliseconds(100)
        configuration.attemptLimit = 1
        let chat = WebSocketConnection(
            url: try ConnectionURL("\(scheme)://127.0.0.1:\(port)/"), configuration: configuration)
        var causes: [CloseCause] = []
        for await event in chat.events {
            if case .closed(let end) = event { causes.append(end.cause) }
        }
        #expect(causes == [.openTimedOut])
        await server.stop()
    }

    @Test func `is not extended by a response that drips`() async throws {  // C13
        let drip = FaultRule(at: .request, .tcp(.drip(milliseconds: 100)))
        let endpoint = Endpoint(plan: FaultPlan(rules: [drip]))
        let port = try await endpoint.start()
        var configuration = ConnectionConfiguration()
        // A tenth of what the head of the response takes.
        configuration.openTimeout = .seconds(1)
        configuration.attemptLimit = 1
        let chat = WebSocketConnection(
            url: try ConnectionURL("ws://127.0.0.1:\(port)/ws"), configuration: configuration)
        var causes: [CloseCause] = []
        for await event in chat.events {
            if case .closed(let end) = event { causes.append(end.cause) }
        }
        #expect(causes == [.openTimedOut])
        let events = await endpoint.record.entries.map(\.event)
        #expect(events.contains(.faultStruck(Moment(.request))))
        #expect(!events.contains(.response(status: 101)))
        await endpoint.stop()
    }
}
