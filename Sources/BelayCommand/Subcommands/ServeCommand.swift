import BelayFaults

/// `belay serve`: the endpoint of the acceptance, for hands, curl, a simulator, any app.
struct ServeCommand: Subcommand {
    static let name = "serve"
    static let summary = "runs the endpoint that misbehaves on command, until interrupted"
    static let options = ListeningPlace.options(port: port)
    static let notes = [
        "A simulator reaches the loopback of its host; a device does not, and needs --public.",
        "An exception for plaintext HTTP belongs in debug builds only, and for this address only.",
    ]
    /// The articles' port.
    private static let port: UInt16 = 8_765

    private let place: ListeningPlace

    init(_ arguments: Arguments) throws(UsageError) {
        try arguments.refuseOperands()
        place = try ListeningPlace(arguments, port: Self.port)
    }

    func run(on terminal: Terminal) async -> ExitCode {
        await place.serve(Endpoint(), on: terminal) { EndpointGuide(address: $0).text }
    }
}

extension Endpoint: PlacedServer {
    func waitUntilOver() async {
        // Never true: the wait ends by cancellation.
        await waitUntil { _ in false }
    }
}
