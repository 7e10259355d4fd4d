import BelayFaults
import Foundation

/// Belay's endpoint without a fault, as a peer of the echo servers.
///
/// Prints its port; ends when its standard input does.
@main
struct BenchEndpoint {
    static func main() async throws {
        let endpoint = Endpoint()
        print(try await endpoint.start())
        fflush(nil)
        // The endpoint has a thread of its own; this one only waits for the end.
        while readLine() != nil {}
        await endpoint.stop()
    }
}
