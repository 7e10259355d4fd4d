import BelayTCP
import BelayTransport
import BelayWire
import Synchronization
import Testing

@Suite(.tags(.realTime), .timeLimit(.minutes(5)))
struct `The chance of WebSockets over TCP` {
    /// Draws that can be told apart.
    private final class Draws: Sendable {
        private let count = Atomic<UInt64>(0)

        func next() -> UInt64 { count.add(1, ordering: .relaxed).newValue }
    }

    @Test func `gives each connection a key, and each frame a mask of its own`() async throws {
        try await onLoop { bench in
            let draws = Draws()
            let transport = TCPWebSocketTransport(on: bench.loop, chance: { draws.next() })
            let server = try ScriptedPeer(on: bench.loop)
            var (keys, masks) = (Set<String>(), Set<[UInt8]>())
            for _ in 1...2 {
                let log = EventLog<WebSocketMessage>(on: bench.loop)
                let request = WebSocketRequest(url: try server.url("ws"))
                let channel = transport.open(request, sink: log.sink)
                let peer = try await server.accept()
                let name = "Sec-WebSocket-Key: "
                let line = peer.events.text.split(separator: "\r\n").first { $0.hasPrefix(name) }
                let key = String(try #require(line).dropFirst(name.count))
                keys.insert(key)
                peer.say(
                    "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Accept: \(OpeningHandshake.accept(forKey: key))\r\n\r\n")
                #expect(try await log.next() == .opened(subprotocol: nil))
                channel.send(.text("a"), number: 1)
                channel.send(.text("a"), number: 2)
                channel.ping(1)
                channel.close(code: 1000, reason: "")
                try await peer.events.wait(until: { peer.frames.count == 36 })
                for start in [0, 7, 14, 28] {
                    masks.insert(Array(peer.frames[(start + 2)..<(start + 6)]))
                }
                channel.abort()
            }
            #expect(keys.count == 2)
            #expect(masks.count == 8)
        }
    }

    @Test func `is the system's by default, and never the same`() {
        let draws = (0..<16).map { _ in TCPWebSocketTransport.systemChance() }
        #expect(Set(draws).count == 16)
    }
}
