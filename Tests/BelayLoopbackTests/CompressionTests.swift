import Belay
import BelayFaults
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Compression as an app sees it` {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var offered: PermessageDeflate.Policy? = .client
        var agreed: PermessageDeflate.Policy? = .server
    }

    private static let alone = PermessageDeflate.Policy(
        own: .init(windowBits: 9, takeover: .none), peer: .init(windowBits: 9, takeover: .none))

    @Test(arguments: [
        Case(testDescription: "by default"),
        Case(testDescription: "not offered", offered: nil),
        Case(testDescription: "not agreed to", agreed: nil),
        Case(testDescription: "each message for itself, in short windows", offered: alone),
        Case(testDescription: "the server wants no context", agreed: alone),
    ])
    func `changes no message, text or binary, short or long`(_ test: Case) async throws {
        let endpoint = Endpoint(limits: EndpointLimits(compression: test.agreed))
        let port = try await endpoint.start()
        let chat = WebSocketConnection(
            url: try ConnectionURL("ws://127.0.0.1:\(port)/ws"),
            transport: DefaultTransport.webSocket(compression: test.offered))
        let long = (0..<20_000).map { "\($0 * 7_919 % 1_009)" }.joined(separator: " ")
        let sent: [WebSocketMessage] = [
            .text("short"), .text(long), .binary(Array(long.utf8)), .binary([]), .text(long),
        ]
        var received: [WebSocketMessage] = []
        for await event in chat.events {
            switch event {
            case .opened: try await chat.send(sent[0])
            case .message(let message, _):
                received.append(message)
                guard received.count < sent.count else {
                    chat.close()
                    continue
                }
                try await chat.send(sent[received.count])
            case .closed: break
            }
        }
        await endpoint.stop()
        #expect(received == sent)
    }
}
