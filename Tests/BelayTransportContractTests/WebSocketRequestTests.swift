import BelayCore
import BelayFaults
import BelayTCP
import BelayTransport
import BelayURLSession
import Testing

/// The scripted transport sends nothing; before it, `Belay` refuses what none can send.
@Suite(.timeLimit(.minutes(5))) struct `A request for a WebSocket` {
    enum Kind: CaseIterable, Sendable {
        case tcp, urlSession

        var transport: any WebSocketTransport {
            switch self {
            case .tcp: TCPWebSocketTransport()
            case .urlSession: URLSessionWebSocketTransport(in: DispatchDomain(label: "request"))
            }
        }
    }

    @Test(
        arguments: Kind.allCases,
        [
            ("ws", ["a\r\nX-Evil: 1"], .subprotocol), ("ws", ["chat", "a\nb"], .subprotocol),
            ("ws", ["a\0b"], .subprotocol), ("ws", ["a b"], .subprotocol),
            ("ws", ["chat", "chat"], .subprotocol), ("http", [], .url),
        ] as [(String, [String], RequestPart)])
    func `is not sent with a part that nobody can send`(
        kind: Kind, test: (scheme: String, subprotocols: [String], part: RequestPart)
    ) async throws {
        let endpoint = Endpoint()
        let port = try await endpoint.start()
        let request = WebSocketRequest(
            url: try ConnectionURL("\(test.scheme)://127.0.0.1:\(port)/ws"),
            subprotocols: test.subprotocols)
        let transport = kind.transport
        let client = ContractClient<WebSocketMessage>(in: transport.domain)
        await client.open { transport.open(request, sink: $0) }
        try await client.wait { !$0.isEmpty }
        await transport.domain.call {}
        #expect(await client.events == [.ended(.requestInvalid(test.part))])
        #expect(await client.reportsWithinCalls == 0)
        #expect(await endpoint.record.entries.isEmpty)
        await client.abort()
        await endpoint.stop()
    }
}
