import BelayTCP
import BelayTransport

/// A server that redirects by the path it is asked for, and keeps what it was told.
actor RedirectingServer {
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

    /// The heads of the requests, in order.
    var requests: [String] { conversations.requests }

    /// All connections. On the loop.
    private final class Conversations: TCPStreamDelegate {
        var port: UInt16 = 0
        private(set) var requests: [String] = []
        private var streams: [TCPStream] = []

        func begin(_ stream: TCPStream) {
            streams.append(stream)
            stream.start(self)
        }

        func end() {
            for stream in streams { stream.drop() }
            streams = []
        }

        /// A request of a test fits into one segment.
        func stream(_ stream: TCPStream, received bytes: UnsafeRawBufferPointer) {
            let request = String(decoding: bytes, as: UTF8.self)
            requests.append(request)
            let path = request.split(separator: " ").dropFirst().first ?? ""
            stream.write(Array(answer(to: path).utf8))
            stream.close()
        }

        private func answer(to path: Substring) -> String {
            switch path {
            case "/here": redirect(to: "/stream")
            case "/elsewhere": redirect(to: "http://localhost:\(port)/stream")
            case "/loop": redirect(to: "/loop")
            case "/nowhere": "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"
            default:
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
                    + "data: found\n\n"
            }
        }

        private func redirect(to place: String) -> String {
            "HTTP/1.1 302 Found\r\nLocation: \(place)\r\nContent-Length: 0\r\n"
                + "Connection: close\r\n\r\n"
        }

        func streamEnded(_ stream: TCPStream) {}

        func streamClosed(_ stream: TCPStream, error: SocketError?) {}
    }
}
