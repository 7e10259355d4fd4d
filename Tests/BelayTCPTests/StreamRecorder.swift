import BelayTCP

/// Writes down what a stream reports.
final class StreamRecorder: Waitable, TCPStreamDelegate {
    private(set) var received: [UInt8] = []
    private(set) var receivedCount = 0
    private(set) var hasEnded = false
    private(set) var closings: [SocketError?] = []
    private(set) var given: UInt64 = 0
    private(set) var drainCount = 0
    /// Called for what arrives, before it is written down.
    var onReceive: ((TCPStream, UnsafeRawBufferPointer) -> Void)?
    /// Long transfers are counted, not kept.
    var keepsBytes = true

    func stream(_ stream: TCPStream, received bytes: UnsafeRawBufferPointer) {
        onReceive?(stream, bytes)
        if keepsBytes { received += bytes }
        receivedCount += bytes.count
        changed()
    }

    func stream(_ stream: TCPStream, gave count: UInt64) {
        given = count
        changed()
    }

    func streamDrained(_ stream: TCPStream) {
        drainCount += 1
        changed()
    }

    func streamEnded(_ stream: TCPStream) {
        hasEnded = true
        changed()
    }

    func streamClosed(_ stream: TCPStream, error: SocketError?) {
        closings.append(error)
        changed()
    }

    var text: String { String(decoding: received, as: UTF8.self) }
}

/// One end of a connection with what it reported.
struct RecordedStream {
    let stream: TCPStream
    let events: StreamRecorder

    init(_ stream: TCPStream) {
        self.stream = stream
        events = StreamRecorder()
        stream.start(events)
    }
}

/// Two connected ends on one loop.
struct RecordedPair {
    let client: RecordedStream
    let server: RecordedStream

    init(on loop: EventLoop) async throws {
        let accepted = Promise<TCPStream>()
        let listener = try TCPListener(on: loop) { accepted.put($0) }
        defer { listener.close() }
        client = RecordedStream(try await connect(to: listener.address.port, on: loop))
        server = RecordedStream(try await accepted.value())
    }
}

/// Connects to a port of this machine.
func connect(
    to port: UInt16, host: String = "127.0.0.1", on loop: EventLoop,
    deadline: Int64 = .max
) async throws -> TCPStream {
    let outcome = Promise<Result<TCPStream, SocketError>>()
    let connector = TCPConnector(to: host, port: port, deadline: deadline, on: loop) {
        outcome.put($0)
    }
    defer { connector.cancel() }
    return try await outcome.value().get()
}
