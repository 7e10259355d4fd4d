import BelayCore
import BelayTransport
import Foundation
import Testing

@testable import BelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct `URLSession's own WebSocket task` {
    /// Says when it is let go.
    private final class Token: Sendable {
        let gone: Answer<Bool>

        init(_ gone: Answer<Bool>) {
            self.gone = gone
        }

        deinit {
            gone.give(true)
        }
    }

    private func request(_ subprotocols: [String] = []) throws -> WebSocketRequest {
        // Nobody listens on port 1.
        WebSocketRequest(
            url: try ConnectionURL("ws://127.0.0.1:1/chat"), subprotocols: subprotocols,
            fields: [
                try RequestField("Sec-WebSocket-Key", "ours"), try RequestField("Origin", "x"),
            ]
        )
    }

    // C10: the class's own limit is 1 MiB.
    @Test(arguments: [1 << 10, 16 << 20])
    func `takes messages up to the transport's limit`(limit: Int) throws {
        let task = try SystemWebSocketTask(request(), messageLimit: limit) { _ in }
        #expect(task.task.maximumMessageSize == limit)
        task.invalidate()
    }

    @Test func `asks for the subprotocols, and leaves the handshake to the session`() throws {
        let task = try SystemWebSocketTask(request(["a", "b"]), messageLimit: 1_000) { _ in }
        let request = try #require(task.task.originalRequest)
        #expect(request.value(forHTTPHeaderField: "Sec-WebSocket-Protocol") == "a, b")
        #expect(request.value(forHTTPHeaderField: "Origin") == "x")
        #expect(request.value(forHTTPHeaderField: "Sec-WebSocket-Key") != "ours")
        task.invalidate()
    }

    @Test func `is not made for a subprotocol that would end its line`() throws {
        #expect(throws: SessionFailure.invalidRequest(.subprotocol)) {
            try SystemWebSocketTask(request(["a\r\nb"]), messageLimit: 1_000) { _ in }
        }
    }

    // C11: also when open never happens.
    @Test func `lets its delegate go when it is invalidated`() async throws {
        let gone = Answer<Bool>()
        do {
            let token = Token(gone)
            let task = try SystemWebSocketTask(request(), messageLimit: 1_000) { _ in
                withExtendedLifetime(token) {}
            }
            task.invalidate()
        }
        #expect(await gone.value())
    }

    /// Where the class has no WebSockets at all this is what an application sees of it.
    @Test func `ends an attempt that cannot connect, or has no WebSockets, once`() async throws {
        let domain = DispatchDomain(label: "test")
        let transport = URLSessionWebSocketTransport(in: domain)
        let cause = Answer<CloseCause>()
        let request = try request()
        let channel = await domain.call {
            Kept(
                transport.open(
                    request,
                    sink: TransportSink(generation: Generation(1)) { _, event in
                        guard case .ended(let end, _) = event else { return }
                        #expect(cause.give(end))
                    }))
        }
        let end = await cause.value()
        switch end {
        case .connectFailed, .requestInvalid(.url): break
        default: Issue.record("ended with \(end)")
        }
        await domain.call { channel.channel.abort() }
    }

    /// A channel between the test and its domain.
    private struct Kept: Sendable {
        let channel: URLSessionWebSocketChannel

        init(_ channel: any WebSocketChannel) {
            guard let channel = channel as? URLSessionWebSocketChannel else {
                preconditionFailure("another channel")
            }
            self.channel = channel
        }
    }
}
