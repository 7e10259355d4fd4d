package import BelayTCP
import BelayTransport

/// A server that misbehaves on command: event streams and WebSockets on one port of this machine.
///
/// ```swift
/// let endpoint = Endpoint(plan: FaultPlan(rules: [
///     FaultRule(on: 1, at: .insideData(2), .tcp(.fin)),
///     FaultRule(on: 2, at: .ping(3), .pong(.late(milliseconds: 500))),
/// ]))
/// let port = try await endpoint.start()
/// // … a client connects to ws://127.0.0.1:port/ws …
/// await endpoint.waitUntil { entries in entries.contains { $0.event == .pingReceived(3) } }
/// await endpoint.stop()
/// ```
///
/// | route | what it is |
/// |---|---|
/// | `GET /events` | three events, `Last-Event-ID` honoured; see `EndpointParameter` |
/// | `POST`, `REPORT /events` | the same, once the content was read: 1 MiB at most |
/// | `GET /ws` | echo; see `EndpointParameter` |
/// | `GET /` | the list of routes and parameters |
///
/// All connections, their timers and the record share one event loop. A started endpoint lives
/// until `stop()`. Its callers go on where they were, never on the loop (see `Answer`).
public final class Endpoint: Sendable {
    private let loop: EventLoop
    private let server: EndpointServer

    /// An endpoint that is not started, on the loop that all who need none of their own share.
    public convenience init(
        plan: FaultPlan = FaultPlan(), limits: EndpointLimits = EndpointLimits()
    ) {
        self.init(loop: .shared, plan: plan, limits: limits)
    }

    /// An endpoint that is not started, on this loop.
    package convenience init(
        loop: EventLoop, plan: FaultPlan = FaultPlan(), limits: EndpointLimits = EndpointLimits()
    ) {
        self.init(loop: loop, plan: plan, limits: limits, respondent: nil)
    }

    /// An endpoint that is not started, and has none of its own routes: `respondent` answers.
    package convenience init(
        plan: FaultPlan = FaultPlan(), limits: EndpointLimits = EndpointLimits(),
        respondent: Respondent
    ) {
        self.init(loop: .shared, plan: plan, limits: limits, respondent: respondent)
    }

    private init(
        loop: EventLoop, plan: FaultPlan, limits: EndpointLimits, respondent: Respondent?
    ) {
        self.loop = loop
        server = EndpointServer(loop: loop, plan: plan, limits: limits, respondent: respondent)
    }

    /// Listens; answers the port. Connections are counted from 1 again.
    ///
    /// - Parameters:
    ///   - host: A numeric address.
    ///   - port: 0 lets the system choose.
    ///   - exposure: What may reach it; an address that other machines reach must be allowed.
    /// - Throws: `EndpointError`.
    @discardableResult
    public func start(
        host: String = "127.0.0.1", port: UInt16 = 0, exposure: Exposure = .loopbackOnly
    ) async throws(EndpointError) -> UInt16 {
        try await call { server in
            Result { () throws(EndpointError) in
                try server.start(host: host, port: port, exposure: exposure)
            }
        }.get()
    }

    /// Stops listening, ends every connection with FIN and every wait with `false`. Idempotent.
    ///
    /// The plan and the record stay.
    public func stop() async {
        await call { $0.stop() }
    }

    // MARK: The plan

    /// The plan that holds.
    public var plan: FaultPlan {
        get async { await call { $0.core.plan } }
    }

    /// Another plan from now on, also for the connections that are open.
    ///
    /// It closes none of them: what has struck stays, and the moments to come are judged anew.
    public func setPlan(_ plan: FaultPlan) async {
        await call { $0.core.setPlan(plan) }
    }

    // MARK: The record

    /// What the endpoint saw since its start, or since the record was last taken.
    public var record: EndpointRecord {
        get async { await call { $0.core.record } }
    }

    /// Answers the record and begins another.
    public func takeRecord() async -> EndpointRecord {
        await call { $0.core.takeRecord() }
    }

    /// Waits until the condition holds for the entries of the record.
    ///
    /// It is asked at once, and after each turn of the loop that recorded something. Without a
    /// time limit of its own: cancel the task to end it. A record that is full does not change.
    /// - Returns: Whether it holds; `false` when the task was cancelled or the endpoint stopped.
    @discardableResult
    public func waitUntil(
        _ condition: @escaping @Sendable ([EndpointEntry]) -> Bool
    ) async -> Bool {
        let answer = Answer<Bool>()
        let id = await call { $0.wait(until: condition, answer) }
        let holds = await answer.value(ifCancelled: false)
        if !holds { await call { $0.core.cancelWait(id) } }
        return holds
    }

    /// Waits that have not ended: a test that stops the endpoint under one asks for it.
    package var pendingWaits: Int {
        get async { await call { $0.core.pendingWaits } }
    }

    private func call<Value: Sendable>(
        _ work: @escaping @Sendable (isolated EndpointServer) -> Value
    ) async -> Value {
        await loop.call { [server] in server.assumeIsolated { work($0) } }
    }
}
