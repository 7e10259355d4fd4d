import BelayFaults
import BelayTCP

/// Runs `body` against an endpoint on a loop of its own, and ends both.
///
/// `body` blocks in system calls, so it must not run where the endpoint does: `@concurrent`, since
/// the compiler may leave out the hop back from the actor before a call that inherits isolation.
func withEndpoint<Result: Sendable>(
    _ rules: [FaultRule] = [], seed: UInt64 = 0, limits: EndpointLimits = EndpointLimits(),
    _ body: @concurrent @Sendable (Endpoint, UInt16) async throws -> Result
) async throws -> Result {
    let loop = try EventLoop()
    try loop.start()
    let endpoint = Endpoint(
        loop: loop, plan: FaultPlan(seed: seed, rules: rules), limits: limits)
    let port = try await endpoint.start()
    do {
        let result = try await body(endpoint, port)
        await endpoint.stop()
        loop.shutdown()
        return result
    } catch {
        await endpoint.stop()
        loop.shutdown()
        throw error
    }
}
