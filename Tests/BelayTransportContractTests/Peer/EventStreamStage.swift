import BelayCore
import BelayFaults
import BelayTCP
import BelayTesting
import BelayTransport
import BelayURLSession
import Testing

/// The transports that the contract of event streams holds for.
enum EventStreamKind: CaseIterable, Sendable {
    case scripted
    #if os(Linux)
        case curl
    #endif
    case urlSession

    /// Those that ask real servers.
    static let overHTTP = allCases.filter { $0 != .scripted }

    /// Whether a pause reaches the peer. Over a session it is a wish, on Linux none at all.
    var stopsWhilePaused: Bool { self != .urlSession }

    /// A transport of this kind that asks real servers.
    var transport: any EventStreamTransport {
        switch self {
        case .scripted: preconditionFailure("a scripted transport asks nobody")
        #if os(Linux)
            case .curl: CurlEventStreamTransport()
        #endif
        case .urlSession:
            URLSessionEventStreamTransport(in: DispatchDomain(label: "event stream"))
        }
    }
}

/// What the server of a contract does. Each case is a query of the endpoint's too.
enum StreamPlan: Equatable, Sendable {
    /// So many events with so many bytes of data, then the end.
    case events(Int, bytes: Int)
    /// One event, then RST.
    case resets
    /// The head, and nothing more.
    case stalls
    /// No response.
    case staysSilent
    case refuses(status: Int)
    case saysAnotherType
    /// A stream whose head says, by a field, that the cursor is too old.
    case saysTooOld

    var query: String {
        switch self {
        case .events(let count, let bytes): "?count=\(count)&size=\(bytes)"
        case .resets: "?reset=1"
        case .stalls, .staysSilent, .refuses, .saysTooOld: ""
        case .saysAnotherType: "?type=text/html"
        }
    }

    var rules: [FaultRule] {
        switch self {
        case .events, .resets, .saysAnotherType: []
        case .stalls: [FaultRule(at: .responseSent, .tcp(.stall))]
        case .staysSilent: [FaultRule(at: .response, .tcp(.stall))]
        case .refuses(let status):
            [FaultRule(at: .response, .http(.status(status, retryAfter: 2)))]
        case .saysTooOld:
            [FaultRule(at: .response, .http(.field(name: "X-Resume", value: "gone")))]
        }
    }
}

/// What the server of a run says of itself. A scripted one has no connection to wait for.
struct ContractServer: Sendable {
    let endpoint: Endpoint
    let kind: EventStreamKind

    /// Waits until the server saw that the connection is over.
    func sawEnd() async {
        guard kind != .scripted else { return }
        await endpoint.waitUntil { entries in entries.contains { $0.event == .ended } }
    }

    /// Whether it was asked once, by this method and with so many bytes of content.
    func saw(_ count: Int, by method: RequestMethod) async -> Bool {
        guard kind != .scripted else { return true }
        let events = await endpoint.record.entries.map(\.event)
        let methods = events.compactMap { event -> String? in
            if case .request(let request) = event { request.method } else { nil }
        }
        return methods == [method.name] && events.contains(.bodyReceived(byteCount: count))
    }

    /// Waits until an event has left the server.
    func saidAnEvent() async {
        guard kind != .scripted else { return }
        await endpoint.waitUntil { entries in entries.contains { $0.event == .eventSent(id: 1) } }
    }
}

/// Runs `body` with the owner of a stream that was opened to a server with this plan.
func withServer(
    _ kind: EventStreamKind, _ plan: StreamPlan, lastEventID: String? = nil,
    lagging: Bool = false, method: RequestMethod = .get, content: [UInt8]? = nil,
    _ body: (ContractClient<[UInt8]>, ContractServer) async throws -> Void
) async throws {
    let endpoint = Endpoint(plan: FaultPlan(rules: plan.rules))
    let port = try await endpoint.start()
    let url = try ConnectionURL("http://127.0.0.1:\(port)/events\(plan.query)")
    let transport: any EventStreamTransport =
        kind == .scripted ? ScriptedEvents(plan) : kind.transport
    let client = ContractClient<[UInt8]>(in: transport.domain)
    var request = EventStreamRequest(
        url: url, method: method, body: content, lastEventID: lastEventID)
    request.staleCursorFields = [try RequestField("x-resume", "gone")]
    await client.open(lagging: lagging) { [request] in transport.open(request, sink: $0) }
    try await body(client, ContractServer(endpoint: endpoint, kind: kind))
    // What holds for every run.
    await transport.domain.call {}
    #expect(await client.reportsWithinCalls == 0)
    #expect(await client.foreignReports == 0)
    let events = await client.events
    #expect(events.filter(\.isOpening).count <= 1)
    #expect(events.dropFirst().allSatisfy { !$0.isOpening })
    #expect(events.dropLast().allSatisfy { $0.cause == nil })
    if kind != .scripted, let lastEventID {
        let asked = await endpoint.record.entries.compactMap { entry -> String? in
            if case .request(let request) = entry.event { request.lastEventID } else { nil }
        }
        #expect(asked == [lastEventID])
    }
    await client.abort()
    await endpoint.stop()
}

/// The test kit's scripted transport, and a script that says what a server with a plan would.
private struct ScriptedEvents: EventStreamTransport {
    let domain: any SerialDomain = DispatchDomain(label: "scripted")
    private let plan: StreamPlan

    init(_ plan: StreamPlan) {
        self.plan = plan
    }

    func open(
        _ request: EventStreamRequest, sink: TransportSink<[UInt8]>
    ) -> any TransportChannel {
        let scripted = ScriptedEventStreamTransport(domain: domain)
        _ = scripted.open(request, sink: sink)
        let channel = AnsweringStream(scripted.channels[0], in: domain)
        channel.begin(plan)
        return channel
    }
}

/// A scripted channel that holds back what it has to say while it is paused.
private actor AnsweringStream: TransportChannel {
    private let domain: any SerialDomain
    nonisolated var unownedExecutor: UnownedSerialExecutor { domain.executor }
    private let scripted: ScriptedEventStreamTransport.Scripted
    private var unsaid: [TransportEvent<[UInt8]>] = []
    private var reading = Reading.flowing

    init(_ scripted: ScriptedEventStreamTransport.Scripted, in domain: any SerialDomain) {
        (self.scripted, self.domain) = (scripted, domain)
    }

    nonisolated func begin(_ plan: StreamPlan) {
        assumeIsolated { $0.answer(plan) }
        // Behind the first report, which may pause.
        domain.submit { self.assumeIsolated { $0.say() } }
    }

    nonisolated func setReading(_ reading: Reading) {
        assumeIsolated { channel in
            channel.scripted.setReading(reading)
            channel.reading = reading
            channel.say()
        }
    }

    nonisolated func abort() {
        assumeIsolated { channel in
            channel.scripted.abort()
            channel.unsaid = []
        }
    }

    private func answer(_ plan: StreamPlan) {
        switch plan {
        case .events(let count, let bytes):
            unsaid =
                (1...count).map { .received(StreamText.event($0, bytes: bytes)) }
                + [.ended(.peerFinished)]
        case .resets: unsaid = [.received(StreamText.first), .ended(.reset)]
        case .stalls: break
        case .staysSilent: return
        case .refuses(204): return scripted.report(.ended(.toldToStop))
        case .refuses(let status):
            return scripted.report(
                .ended(.handshakeRefused(status: UInt16(clamping: status)), retryAfter: 2_000))
        case .saysAnotherType: return scripted.report(.ended(.wrongContentType))
        case .saysTooOld: return scripted.report(.ended(.cursorTooOld))
        }
        scripted.report(.opened(subprotocol: nil))
    }

    private func say() {
        guard reading == .flowing else { return }
        for event in unsaid { scripted.report(event) }
        unsaid = []
    }
}

/// What the endpoint writes.
enum StreamText {
    /// The first event of the article's three.
    static let first = Array("id: 1\ndata: queued\n\n".utf8)

    static func event(_ number: Int, bytes: Int) -> [UInt8] {
        let data = (0..<bytes).map { UInt8(ascii: "a") + UInt8($0 % 26) }
        return Array("id: \(number)\ndata: ".utf8) + data + Array("\n\n".utf8)
    }
}
