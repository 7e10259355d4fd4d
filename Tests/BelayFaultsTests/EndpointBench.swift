import BelayFaults
import BelayTCP

/// Runs `body` against an endpoint on a loop of its own, and ends both.
///
/// `body` blocks in system calls, so it must not run where the endpoint does: `@concurrent`, since
/// the compiler may leave out the hop back from the actor before a call that inherits isolation.
func withEndpoint(
    _ rules: [FaultRule] = [], seed: UInt64 = 0, limits: EndpointLimits = EndpointLimits(),
    _ body: @concurrent @Sendable (Endpoint, UInt16) async throws -> Void
) async throws {
    let loop = try EventLoop()
    try loop.start()
    let endpoint = Endpoint(
        loop: loop, plan: FaultPlan(seed: seed, rules: rules), limits: limits)
    let port = try await endpoint.start()
    do {
        try await body(endpoint, port)
        await endpoint.stop()
        loop.shutdown()
    } catch {
        await endpoint.stop()
        loop.shutdown()
        throw error
    }
}
