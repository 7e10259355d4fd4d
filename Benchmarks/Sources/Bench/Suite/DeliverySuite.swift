import Belay
import BelayCore
import BelayTesting
import BelayTransport
import Synchronization

extension Comparison {
    /// From a transport's report to the body of the app's loop, in one thread: the generation
    /// check, the queue, the wake-up.
    static func delivery(_ scale: Scale) -> Comparison {
        let batches = scale.pick(short: 5_000, full: 50_000)
        let cases = [1, 32].map { size in
            Case(
                name: "batches of \(size)",
                gauges: [.cost("ns/element", perSecond: 1e9, of: batches * size)],
                subjects: [
                    { try deliver(batches: batches, of: size) },
                    { try deliverByStream(batches: batches, of: size) },
                ])
        }
        return Comparison(
            title: "delivery: WebSocketConnection.events", better: .lower,
            subjects: ["belay", "AsyncStream"], cases: cases,
            remarks: [
                "AsyncStream is unbounded and checks no generation",
                "both on BelayTesting's ManualLoop, whose turns count in both",
            ])
    }
}

private func deliver(batches: Int, of size: Int) throws -> Double {
    let loop = ManualLoop()
    let transport = PushedTransport(domain: loop)
    let connection = WebSocketConnection(
        url: try ConnectionURL("ws://bench.example/"), transport: transport)
    let count = Mutex(0)
    let reader = Task(executorPreference: loop) {
        var messages = 0
        for await event in connection.events {
            if case .message = event { messages += 1 }
            if messages == batches * size { break }
        }
        count.withLock { $0 = messages }
    }
    loop.run()
    guard let sink = transport.sink else { throw BenchmarkError("delivery: nothing was opened") }
    loop.submit { sink(.opened(subprotocol: nil)) }
    loop.run()
    let seconds = cpuSeconds {
        for _ in 0..<batches {
            loop.submit {
                for _ in 0..<size { sink(.received(.binary([]))) }
            }
            loop.run()
        }
    }
    reader.cancel()
    loop.run()
    try expect(count.withLock { $0 }, batches * size)
    return seconds
}

private func deliverByStream(batches: Int, of size: Int) throws -> Double {
    let loop = ManualLoop()
    let (stream, continuation) = AsyncStream.makeStream(of: WebSocketEvent.self)
    let count = Mutex(0)
    let reader = Task(executorPreference: loop) {
        var messages = 0
        for await event in stream {
            if case .message = event { messages += 1 }
        }
        count.withLock { $0 = messages }
    }
    loop.run()
    let seconds = cpuSeconds {
        for _ in 0..<batches {
            loop.submit {
                for _ in 0..<size {
                    continuation.yield(.message(.binary([]), Generation.zero))
                }
            }
            loop.run()
        }
    }
    continuation.finish()
    loop.run()
    reader.cancel()
    try expect(count.withLock { $0 }, batches * size)
    return seconds
}

private func expect(_ messages: Int, _ expected: Int) throws {
    if messages != expected {
        throw BenchmarkError("delivery: \(messages) messages of \(expected)")
    }
}

/// A transport whose one connection says what the benchmark pushes.
private final class PushedTransport: WebSocketTransport {
    let domain: any SerialDomain
    private let opened = Mutex<TransportSink<WebSocketMessage>?>(nil)

    init(domain: any SerialDomain) {
        self.domain = domain
    }

    /// Where to push.
    var sink: TransportSink<WebSocketMessage>? { opened.withLock { $0 } }

    func open(
        _ request: WebSocketRequest, sink: TransportSink<WebSocketMessage>
    ) -> any WebSocketChannel {
        opened.withLock { $0 = sink }
        return SilentChannel()
    }
}

/// Takes every order and does nothing.
private final class SilentChannel: WebSocketChannel {
    func send(_ message: WebSocketMessage, number: UInt64) {}
    func ping(_ number: UInt32) {}
    func close(code: UInt16, reason: String) {}
    var closeFrames: CloseFrames { CloseFrames() }
    func setReading(_ reading: Reading) {}
    func abort() {}
}
