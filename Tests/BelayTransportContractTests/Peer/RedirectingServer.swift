import BelayTCP
import BelayTransport
import BelayWire

/// A server that redirects by the path it is asked for, `/status/place`, and keeps what it was
/// told. At `/gzip` it says its event compressed, and at `/cut/framing` it ends before that does.
actor RedirectingServer {
    /// What it was told by one request.
    struct Request: Sendable {
        let head: HTTPRequestHead
        let body: [UInt8]

        /// Method and target.
        var line: String { "\(head.method) \(head.target)" }
        subscript(name: String) -> String? { head.fields[name] }
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { EventLoop.shared.executor }
    private var listener: TCPListener?
    private let conversations = Conversations()

    func start() throws -> UInt16 {
        let listener = try TCPListener(on: .shared) { [conversations] in
            conversations.begin($0)
        }
        self.listener = listener
        conversations.port = listener.address.port
        return listener.address.port
    }

    func stop() {
        listener?.close()
        listener = nil
        conversations.end()
    }

    /// The requests, in order.
    var requests: [Request] { conversations.requests }

    /// All connections. On the loop.
    private final class Conversations {
        var port: UInt16 = 0
        fileprivate(set) var requests: [Request] = []
        private var open: [Conversation] = []

        func begin(_ stream: TCPStream) {
            let conversation = Conversation(stream) { [unowned self] in answer($0) }
            open.append(conversation)
            stream.start(conversation)
        }

        func end() {
            for conversation in open { conversation.stream.drop() }
            open = []
        }

        private func answer(_ request: Request) -> [UInt8] {
            requests.append(request)
            let parts = request.head.target.split(separator: "/")
            guard parts.count == 2 else { return Self.stream(isCompressed: parts == ["gzip"]) }
            if parts[0] == "cut" { return Self.stream(cutIn: parts[1]) }
            let place =
                switch parts[1] {
                case "stream", "gzip": "Location: /\(parts[1])\r\n"
                case "elsewhere": "Location: http://localhost:\(port)/stream\r\n"
                case "empty": "Location: \r\n"
                case "nowhere": ""
                default: "Location: \(request.head.target)\r\n"
                }
            let head = "HTTP/1.1 \(parts[0]) Over there\r\n\(place)"
            return Array("\(head)Content-Length: 0\r\nConnection: close\r\n\r\n".utf8)
        }

        /// The whole event, in a body of which its framing has more to come.
        private static func stream(cutIn framing: Substring) -> [UInt8] {
            let event = "data: found\n\n"
            let (field, body) =
                switch framing {
                case "length": ("Content-Length: 14\r\n", event)
                case "chunk": ("Transfer-Encoding: chunked\r\n", "E\r\n" + event)
                case "chunks": ("Transfer-Encoding: chunked\r\n", "D\r\n\(event)\r\n")
                default: ("", event)
                }
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\(field)"
            return Array("\(head)Connection: close\r\n\r\n\(body)".utf8)
        }

        private static func stream(isCompressed: Bool) -> [UInt8] {
            let coding = isCompressed ? "Content-Encoding: gzip\r\n" : ""
            let head =
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\(coding)"
                + "Connection: close\r\n\r\n"
            return Array(head.utf8) + (isCompressed ? compressed : Array("data: found\n\n".utf8))
        }

        /// The same event, as RFC 1952 writes it.
        private static let compressed: [UInt8] = [
            0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4B, 0x49,
            0x2C, 0x49, 0xB4, 0x52, 0x48, 0xCB, 0x2F, 0xCD, 0x4B, 0xE1, 0xE2, 0x02,
            0x00, 0xBF, 0xF9, 0x95, 0xEE, 0x0D, 0x00, 0x00, 0x00,
        ]
    }

    /// One connection, which carries one request.
    private final class Conversation: TCPStreamDelegate {
        let stream: TCPStream
        private let answer: (Request) -> [UInt8]
        private var parser = HTTPHeadParser<HTTPRequestHead>()
        private var head: HTTPRequestHead?
        private var body: [UInt8] = []

        init(_ stream: TCPStream, _ answer: @escaping (Request) -> [UInt8]) {
            (self.stream, self.answer) = (stream, answer)
        }

        func stream(_ stream: TCPStream, received bytes: UnsafeRawBufferPointer) {
            var bytes = bytes
            if head == nil, let (head, consumed) = try? parser.append(bytes) {
                self.head = head
                bytes = UnsafeRawBufferPointer(rebasing: bytes[consumed...])
            }
            guard let head else { return }
            body += bytes
            let length = head.fields["Content-Length"].flatMap { Int($0) } ?? 0
            guard body.count == length else { return }
            stream.write(answer(Request(head: head, body: body)))
            stream.close()
        }

        func streamEnded(_ stream: TCPStream) {}

        func streamClosed(_ stream: TCPStream, error: SocketError?) {}
    }
}
