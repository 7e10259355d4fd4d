package import BelayTCP

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
/// | `GET /ws` | echo; see `EndpointParameter` |
/// | `GET /` | the list of routes and parameters |
///
/// It is an actor on an event loop: all connections, their timers and the record share one thread.
/// A started endpoint lives until `stop()`.
public actor Endpoint {
    /// Where the endpoint's actor runs: its loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor }

    private nonisolated let loop: EventLoop
    private let core: EndpointCore
    private var listener: TCPListener?
    private var nextWait = 0

    /// An endpoint that is not started, on the loop that all who need none of their own share.
    public init(plan: FaultPlan = FaultPlan(), limits: EndpointLimits = EndpointLimits()) {
        self.init(loop: .shared, plan: plan, limits: limits)
    }

    /// An endpoint that is not started, on this loop.
    package init(
        loop: EventLoop, plan: FaultPlan = FaultPlan(), limits: EndpointLimits = EndpointLimits()
    ) {
        self.loop = loop
        core = EndpointCore(loop: loop, plan: plan, limits: limits)
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
    ) throws(EndpointError) -> UInt16 {
        guard listener == nil else { throw .alreadyStarted }
        let address = SocketAddress(numeric: host, port: port)
        guard exposure == .anyAddress || address?.isLoopback != false else {
            throw .notLoopback(host: host)
        }
        do {
            let listener = try TCPListener(host: host, port: port, on: loop) { [core] stream in
                core.accept(stream)
            }
            self.listener = listener
            return listener.address.port
        } catch {
            throw .cannotListen(host: host, port: port, reason: error.description)
        }
    }

    /// Stops listening, ends every connection with FIN and every wait with `false`. Idempotent.
    ///
    /// The plan and the record stay.
    public func stop() {
        listener?.close()
        listener = nil
        core.endAll()
    }

    // MARK: The plan

    /// The plan that holds.
    public var plan: FaultPlan { core.plan }

    /// Another plan from now on, also for the connections that are open.
    ///
    /// It closes none of them: what has struck stays, and the moments to come are judged anew.
    public func setPlan(_ plan: FaultPlan) {
        core.setPlan(plan)
    }

    // MARK: The record

    /// What the endpoint saw since its start, or since the record was last taken.
    public var record: EndpointRecord { core.entries }

    /// Answers the record and begins another.
    public func takeRecord() -> EndpointRecord {
        core.takeRecord()
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
        nextWait += 1
        let id = nextWait
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(returning: false) }
                core.wait(id, until: condition, continuation)
            }
        } onCancel: {
            // The job comes behind the call above, which runs on the loop without a break.
            loop.submit { self.assumeIsolated { $0.core.cancelWait(id) } }
        }
    }

    /// Waits that have not ended: a test that stops the endpoint under one asks for it.
    package var pendingWaits: Int { core.pendingWaits }
}
