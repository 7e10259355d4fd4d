import Belay
import BelayTesting
import BelayTransport
import Synchronization
import Testing

/// What happened, in order, written from any isolation.
private final class Trace: Sendable {
    private let written = Mutex<[String]>([])
    var lines: [String] { written.withLock { $0 } }
    func write(_ line: String) { written.withLock { $0.append(line) } }
}

@Suite struct `A run in virtual time` {
    /// A connection that is kept, lost, replaced and read with delays, all drawn from `seed`.
    private func run(seed: UInt64) throws -> [String] {
        let loop = ManualLoop()
        let trace = Trace()
        let transport = ScriptedWebSocketTransport(domain: loop)
        let connection = WebSocketConnection(
            url: try ConnectionURL("ws://127.0.0.1/"),
            heartbeat: .every(.milliseconds(70), timeout: .milliseconds(50)),
            transport: transport,
            generator: SeededGenerator(seed: seed),
            evidence: { trace.write("\($0)") })
        let reader = Task(executorPreference: loop) {
            for await event in connection.events { trace.write("\(event)") }
        }
        let observer = Task(executorPreference: loop) {
            for await status in connection.statuses { trace.write("\(status)") }
        }
        var chance = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            loop.advance(by: .random(in: 0...120, using: &chance))
            guard let channel = transport.channels.last else { continue }
            switch Int.random(in: 0..<8, using: &chance) {
            case 0, 1: channel.report(.opened(subprotocol: nil))
            case 2: channel.report(.received(.text("hello")))
            case 3, 4: channel.report(.pong(UInt32(channel.pings.count)))
            case 5: channel.report(.ended(.reset))
            case 6: connection.reconnect()
            default: connection.retryNow()
            }
        }
        reader.cancel()
        observer.cancel()
        loop.run()
        return trace.lines
    }

    // W25
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `is the same each time, line for line`(seed: UInt64) throws {
        let first = try run(seed: seed)
        #expect(first.count > 500)
        #expect(try run(seed: seed) == first)
    }

    @Test func `differs where chance differs`() throws {
        #expect(try run(seed: 1) != run(seed: 2))
    }
}
