public import BelayFaults
public import BelayTransport

/// Belay's event streams, behind the service protocol of sse-contract-tests.
///
/// A harness that speaks the protocol orders streams, breaks them, and compares what it is told
/// with what it sent: so that others judge what an app of ours would see.
///
/// ```swift
/// let endpoint = ContractEndpoint(over: DefaultTransport.eventStream)
/// let port = try await endpoint.start()
/// // … sse-contract-tests --url http://127.0.0.1:port --stop-service-at-end …
/// await endpoint.waitUntilQuit()
/// await endpoint.stop()
/// ```
///
/// Source: sse-contract-tests, `docs/service_spec.md`.
public final class ContractEndpoint: Sendable {
    private let streams: ContractStreams
    private let endpoint: Endpoint
    private let quit: Answer<Void>

    /// A service that is not started; its streams go over `transport`.
    public init(over transport: any EventStreamTransport) {
        let streams = ContractStreams(over: transport)
        let quit = Answer<Void>()
        endpoint = Endpoint(
            respondent: Respondent { request in
                await streams.answer(request) { quit.give(()) }
            })
        (self.streams, self.quit) = (streams, quit)
    }

    /// Listens; answers the port.
    ///
    /// - Parameters:
    ///   - host: A numeric address.
    ///   - port: 0 lets the system choose.
    ///   - exposure: What may reach it; it opens connections for whoever does.
    /// - Throws: `EndpointError`.
    /// - Precondition: It was not stopped before.
    @discardableResult
    public func start(
        host: String = "127.0.0.1", port: UInt16 = 0, exposure: Exposure = .loopbackOnly
    ) async throws(EndpointError) -> UInt16 {
        try await endpoint.start(host: host, port: port, exposure: exposure)
    }

    /// Returns once a harness sent `DELETE /`, or the task was cancelled. One task waits, once.
    public func waitUntilQuit() async {
        await quit.value(ifCancelled: ())
    }

    /// Stops listening and ends all streams, for good. Idempotent.
    public func stop() async {
        await endpoint.stop()
        await streams.endAll()
    }
}
