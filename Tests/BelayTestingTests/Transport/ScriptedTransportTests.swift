import BelayCore
import BelayTesting
import BelayTransport
import Synchronization
import Testing

@Suite struct `A scripted transport` {
    private let loop = ManualLoop()

    @Test func `records what it is asked, in order, and does nothing by itself`() throws {
        let transport = ScriptedWebSocketTransport(domain: loop)
        let request = WebSocketRequest(url: try ConnectionURL("ws://127.0.0.1/"))
        let sink = TransportSink<WebSocketMessage>(generation: Generation(4)) { _, _ in
            Issue.record("reported unasked")
        }
        let channel = transport.open(request, sink: sink)
        channel.send(.text("a"), number: 1)
        channel.ping(2)
        channel.setReading(.paused)
        channel.close(code: 1000, reason: "")
        channel.abort()
        loop.run()
        let scripted = try #require(transport.channels.first)
        #expect(scripted.generation == Generation(4))
        #expect(scripted.request == request)
        #expect(scripted.sent == [.text("a")])
        #expect(scripted.pings == [2])
        #expect(scripted.isAborted)
        #expect(
            scripted.orders == [
                .send(.text("a"), number: 1), .ping(2), .setReading(.paused), .close(code: 1000),
                .abort,
            ])
    }

    // W1, W7: also what comes after the end carries the number captured at creation.
    @Test func `reports in a later turn under its own generation, however late`() throws {
        let transport = ScriptedEventStreamTransport(domain: loop)
        let request = EventStreamRequest(url: try ConnectionURL("http://127.0.0.1/"))
        let generations = Mutex<[Generation]>([])
        for number: UInt64 in 1...2 {
            let sink = TransportSink<[UInt8]>(generation: Generation(number)) { id, _ in
                generations.withLock { $0.append(id) }
            }
            _ = transport.open(request, sink: sink)
        }
        transport.channels[0].abort()
        transport.channels[1].report(.opened(subprotocol: nil))
        transport.channels[0].report(.ended(.reset))
        #expect(generations.withLock { $0 }.isEmpty)
        loop.run()
        #expect(generations.withLock { $0 } == [Generation(2), Generation(1)])
    }
}
