import BelayTCP
import BelayTransport
import BelayWire
import Testing

/// What a scripted server answers a request with.
struct Reply: Sendable {
    var head: String
    /// Whether the connection ends behind the head; else it is a stream that the test writes.
    var ends = true

    /// A stream in chunks, so that a connection that breaks has cut it.
    static let stream = stream(type: "text/event-stream; charset=utf-8")

    static func stream(type: String) -> Reply {
        Reply(
            head: "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nTransfer-Encoding: chunked\r\n\r\n",
            ends: false)
    }

    /// A response without content.
    static func status(_ status: Int, _ fields: String...) -> Reply {
        let length = status == 204 ? [] : ["Content-Length: 0"]
        let lines = ["HTTP/1.1 \(status) Said"] + length + fields
        return Reply(head: lines.joined(separator: "\r\n") + "\r\n\r\n")
    }

    /// Nothing, for as long as the client waits.
    static let silence = Reply(head: "", ends: false)
}

/// A server that plays what a test says, byte for byte, and shows what it was asked.
actor StreamServer {
    nonisolated var unownedExecutor: UnownedSerialExecutor { EventLoop.shared.executor }

    private let floor: Floor
    private var listener: TCPListener?
    /// One for each request, in order.
    nonisolated let requests: AsyncStream<StreamConnection>

    /// The nth connection gets the nth reply, and all further ones the last.
    init(_ replies: [Reply]) {
        let (requests, sink) = AsyncStream.makeStream(of: StreamConnection.self)
        self.requests = requests
        floor = Floor(replies, sink)
    }

    func start() throws -> UInt16 {
        floor.server = self
        let listener = try TCPListener(on: .shared) { [floor] in floor.accept($0) }
        self.listener = listener
        return listener.address.port
    }

    func stop() {
        listener?.close()
        floor.end()
    }

    /// Requests so far.
    var count: Int { floor.count }

    func send(_ bytes: [UInt8], to number: Int) {
        guard !bytes.isEmpty else { return }
        var chunk: [UInt8] = []
        ChunkedEncoder.append(bytes, to: &chunk)
        floor.streams[number]?.write(chunk)
    }

    func cut(_ number: Int) {
        floor.streams[number]?.close()
    }

    func finish(_ number: Int) {
        var chunk: [UInt8] = []
        ChunkedEncoder.appendEnd(to: &chunk)
        floor.streams[number]?.write(chunk)
        floor.streams[number]?.close()
    }

    func reset(_ number: Int) {
        floor.streams[number]?.reset()
    }

    func ended(_ number: Int) -> Bool { floor.ended.contains(number) }
}

/// What a client asked.
struct Asked: Sendable {
    let method: String
    let path: String
    let content: String
    fileprivate let fields: HTTPFields

    /// The value of a field of the request.
    subscript(name: String) -> String? { fields[name] }
}

/// One request that came, and the mouth through which it is answered.
struct StreamConnection: Sendable {
    let request: Asked
    /// When it came, in milliseconds of the loop's clock.
    let at: Int64
    fileprivate let number: Int
    fileprivate let server: StreamServer

    /// Sends these bytes, and lets the client read them before more are sent.
    func send(_ bytes: [UInt8]) async {
        await server.send(bytes, to: number)
        // They leave at the end of a turn, and are read in the next one.
        for _ in 0..<2 { await EventLoop.shared.call {} }
    }

    func send(_ text: String) async { await send(Array(text.utf8)) }

    /// FIN in the midst of the response.
    func cut() async { await server.cut(number) }

    /// The end of the response, in order.
    func finish() async { await server.finish(number) }

    /// RST.
    func reset() async { await server.reset(number) }

    /// Whether the client has ended the connection.
    var isEnded: Bool { get async { await server.ended(number) } }
}

/// All connections of a server. On the loop.
private final class Floor: TCPStreamDelegate {
    weak var server: StreamServer?
    private(set) var streams: [Int: TCPStream] = [:]
    private(set) var ended: Set<Int> = []
    private(set) var count = 0
    private let replies: [Reply]
    private let sink: AsyncStream<StreamConnection>.Continuation
    private var readers: [ObjectIdentifier: Reader] = [:]

    private struct Reader {
        let number: Int
        var parser = HTTPHeadParser<HTTPRequestHead>()
        var head: HTTPRequestHead?
        var decoder = HTTPBodyDecoder(.none)
        var body: [UInt8] = []
    }

    init(_ replies: [Reply], _ sink: AsyncStream<StreamConnection>.Continuation) {
        (self.replies, self.sink) = (replies, sink)
    }

    func accept(_ stream: TCPStream) {
        let number = streams.count
        streams[number] = stream
        readers[ObjectIdentifier(stream)] = Reader(number: number)
        stream.start(self)
    }

    func end() {
        for stream in streams.values { stream.drop() }
        streams = [:]
        readers = [:]
        sink.finish()
    }

    func stream(_ stream: TCPStream, received bytes: UnsafeRawBufferPointer) {
        guard var reader = readers[ObjectIdentifier(stream)] else { return }
        do {
            var rest = bytes
            if reader.head == nil {
                guard let (head, consumed) = try reader.parser.append(bytes) else { return }
                reader.head = head
                reader.decoder = HTTPBodyDecoder(try HTTPBodyFraming(of: head))
                rest = UnsafeRawBufferPointer(rebasing: bytes[consumed...])
            }
            _ = try reader.decoder.append(rest, into: &reader.body)
        } catch {
            Issue.record(error)
        }
        readers[ObjectIdentifier(stream)] = reader
        guard let head = reader.head, reader.decoder.isComplete else { return }
        readers[ObjectIdentifier(stream)] = nil
        answer(head, reader.body, on: stream, number: reader.number)
    }

    private func answer(
        _ head: HTTPRequestHead, _ body: [UInt8], on stream: TCPStream, number: Int
    ) {
        let reply = replies[min(count, replies.count - 1)]
        count += 1
        stream.write(Array(reply.head.utf8))
        if reply.ends { stream.close() }
        guard let server else { return }
        sink.yield(
            StreamConnection(
                request: Asked(
                    method: head.method, path: head.target,
                    content: String(decoding: body, as: UTF8.self), fields: head.fields),
                at: EventLoop.shared.now, number: number, server: server))
    }

    func streamEnded(_ stream: TCPStream) {
        stream.close()
    }

    func streamClosed(_ stream: TCPStream, error: SocketError?) {
        for (number, other) in streams where other === stream { ended.insert(number) }
    }
}
