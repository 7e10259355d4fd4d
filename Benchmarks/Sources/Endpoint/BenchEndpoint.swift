import BelayFaults
import Foundation

/// Belay's endpoint without a fault, as a peer of the echo servers.
///
/// Prints its port; ends when its standard input does. An argument is how many connections it
/// takes, where the endpoint's own limit is too few.
@main
struct BenchEndpoint {
    static func main() async throws {
        var limits = EndpointLimits()
        if let count = CommandLine.arguments.dropFirst().first.flatMap({ Int($0) }) {
            limits.connections = count
        }
        let endpoint = Endpoint(limits: limits)
        print(try await endpoint.start())
        fflush(nil)
        // The endpoint has a thread of its own; this one only waits for the end.
        while readLine() != nil {}
        await endpoint.stop()
    }
}
