import Belay
import BelayAcceptance
import BelayFaults

/// `belay contract-service`: Belay's event streams, for a harness of others to judge.
struct ContractServiceCommand: Subcommand {
    static let name = "contract-service"
    static let summary = "lets sse-contract-tests order event streams, until it says quit"
    static let options = ListeningPlace.options(port: port)
    static let notes = [
        "Then, where the harness is: sse-contract-tests --url http://127.0.0.1:8000",
        "Its --stop-service-at-end ends this too. Whoever reaches the service has it connect to",
        "any address.",
    ]
    /// The port that the harness's own documents use.
    private static let port: UInt16 = 8_000

    private let place: ListeningPlace

    init(_ arguments: Arguments) throws(UsageError) {
        try arguments.refuseOperands()
        place = try ListeningPlace(arguments, port: Self.port)
    }

    func run(on terminal: Terminal) async -> ExitCode {
        let endpoint = ContractEndpoint(over: DefaultTransport.eventStream)
        return await place.serve(endpoint, on: terminal) { "listening on \($0)\n" }
    }
}

extension ContractEndpoint: PlacedServer {
    func waitUntilOver() async {
        await waitUntilQuit()
    }
}
