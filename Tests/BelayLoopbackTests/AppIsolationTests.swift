import Belay
import BelayFaults
import BelayTCP
import BelayTransport
import Synchronization
import Testing

/// Swift 6.3 may leave out the hop back from an actor before it calls what inherits isolation. The
/// app's code would then run on the loop's thread, and one slow handler would stop every heartbeat.
@Suite(.timeLimit(.minutes(5))) struct `The app's code` {
    /// Runs `body` with an endpoint's port.
    private func withEndpoint(_ body: (UInt16) async throws -> Void) async throws {
        let endpoint = Endpoint()
        let port = try await endpoint.start()
        do {
            try await body(port)
        } catch {
            await endpoint.stop()
            throw error
        }
        await endpoint.stop()
    }

    private struct Refused: Error {}

    @Test func `handles events off the loop, also after a failure`() async throws {
        try await withEndpoint { port in
            #expect(!EventLoop.shared.isOnLoop)
            let url = try ConnectionURL("http://127.0.0.1:\(port)/events")
            let feed = EventSource(url: url)
            var onLoop: [Bool] = []
            try await feed.process { event in
                onLoop.append(EventLoop.shared.isOnLoop)
                await step { onLoop.append(EventLoop.shared.isOnLoop) }
                if onLoop.count == 2 { throw Refused() }
                if event.lastEventID == "3" { feed.close() }
            }
            await step { onLoop.append(EventLoop.shared.isOnLoop) }
            #expect(onLoop == Array(repeating: false, count: 9))
        }
    }

    @Test func `reads and sends off the loop`() async throws {
        try await withEndpoint { port in
            let chat = WebSocketConnection(url: try ConnectionURL("ws://127.0.0.1:\(port)/ws"))
            var onLoop: [Bool] = []
            for await event in chat.events {
                await step { onLoop.append(EventLoop.shared.isOnLoop) }
                switch event {
                case .opened:
                    try await chat.send(.text("hello"))
                    await step { onLoop.append(EventLoop.shared.isOnLoop) }
                case .message:
                    chat.close()
                case .closed:
                    break
                }
            }
            await step { onLoop.append(EventLoop.shared.isOnLoop) }
            #expect(onLoop == Array(repeating: false, count: 5))
        }
    }
}

/// Inherits its caller's isolation: it goes on where the caller is.
private func step(_ body: () -> Void) async {
    body()
}
