import BelayFaults
import BelayTCP
import BelayTransport

/// Belay's own sockets, and the endpoint on loopback.
struct EndpointStage: WebSocketStage {
    private let endpoint: Endpoint
    private let transport = TCPWebSocketTransport()
    private let url: ConnectionURL
    private let greetings: Int

    init(_ plan: PeerPlan) async throws {
        endpoint = Endpoint(plan: FaultPlan(rules: Self.rules(of: plan)))
        let port = try await endpoint.start()
        let query = plan.greetings > 0 ? "?count=\(plan.greetings)" : ""
        url = try ConnectionURL("ws://127.0.0.1:\(port)/ws\(query)")
        greetings = plan.greetings
    }

    private static func rules(of plan: PeerPlan) -> [FaultRule] {
        var rules: [FaultRule] = []
        switch plan.opening {
        case .accepts: break
        case .refuses(let status):
            rules.append(FaultRule(at: .handshake, .http(.status(status, retryAfter: 2))))
        case .staysSilent: rules.append(FaultRule(at: .handshake, .tcp(.stall)))
        }
        switch plan.pongs {
        case 0: rules.append(FaultRule(at: .ping(.every), .pong(.missing)))
        case 2: rules.append(FaultRule(at: .ping(.every), .pong(.duplicate)))
        default: break
        }
        let first = MomentPattern.message(.only(1))
        switch plan.atFirstMessage {
        case .echoes: break
        case .closes(let code):
            rules.append(FaultRule(at: first, .webSocket(.closeFrame(code: code))))
        case .vanishes: rules.append(FaultRule(at: first, .tcp(.fin)))
        case .resets: rules.append(FaultRule(at: first, .tcp(.reset)))
        }
        return rules
    }

    var domain: any SerialDomain { transport.domain }

    func open(_ sink: TransportSink<WebSocketMessage>) -> any WebSocketChannel {
        transport.open(WebSocketRequest(url: url), sink: sink)
    }

    func peerSaidAll() async {
        let count = greetings
        await endpoint.waitUntil { entries in
            let sent = entries.filter { if case .messageSent = $0.event { true } else { false } }
            return sent.count >= count
        }
    }

    func peerSawEnd() async {
        await endpoint.waitUntil { entries in entries.contains { $0.event == .ended } }
    }

    func tearDown() async {
        await endpoint.stop()
    }
}
