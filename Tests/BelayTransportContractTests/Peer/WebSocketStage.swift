import BelayTransport
import Testing

/// A transport and a peer that follows a plan: what one run of the contract needs.
protocol WebSocketStage: Sendable {
    var domain: any SerialDomain { get }

    /// Opens a connection to the peer. Called in the domain.
    func open(_ sink: TransportSink<WebSocketMessage>) -> any WebSocketChannel

    /// Waits until the peer's part is said: the greetings have left it.
    func peerSaidAll() async

    /// Waits until the peer saw that the connection, or the attempt, is over.
    func peerSawEnd() async

    /// Ends what was started for this run.
    func tearDown() async
}

/// The transports that the contract holds for.
enum WebSocketKind: CaseIterable, Sendable {
    case scripted
    case tcp
    case urlSession

    func stage(_ plan: PeerPlan) async throws -> any WebSocketStage {
        switch self {
        case .scripted: ScriptedStage(plan)
        case .tcp: try await EndpointStage(plan)
        case .urlSession: SessionStage(plan)
        }
    }
}

/// Runs `body` with the owner of a channel that was opened to a peer with this plan.
func withPeer(
    _ kind: WebSocketKind, _ plan: PeerPlan = PeerPlan(), lagging: Bool = false,
    _ body: (ContractClient<WebSocketMessage>, any WebSocketStage) async throws -> Void
) async throws {
    let stage = try await kind.stage(plan)
    let client = ContractClient<WebSocketMessage>(in: stage.domain)
    await client.open(lagging: lagging) { stage.open($0) }
    try await body(client, stage)
    // What holds for every run.
    await stage.domain.call {}
    #expect(await client.reportsWithinCalls == 0)
    #expect(await client.foreignReports == 0)
    let events = await client.events
    #expect(events.filter(\.isOpening).count <= 1)
    #expect(events.dropFirst().allSatisfy { !$0.isOpening })
    #expect(events.filter { $0.cause != nil }.count <= 1)
    #expect(events.dropLast().allSatisfy { $0.cause == nil })
    await client.abort()
    await stage.tearDown()
}
