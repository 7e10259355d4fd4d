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
        let endpoint = Endpoint()
        func start(
            _ host: String, _ port: UInt16, _ exposure: Exposure
        ) async throws(EndpointError) -> UInt16 {
            try await endpoint.start(host: host, port: port, exposure: exposure)
        }
        do throws(EndpointError) {
            let port = try await place.open(on: terminal, start)
            terminal.output.write(EndpointGuide(address: place.address(port: port)).text)
        } catch {
            return place.refused(error, on: terminal)
        }
        _ = await Interruption.watched {
            // Never true: the wait ends by cancellation.
            await endpoint.waitUntil { _ in false }
        }
        await endpoint.stop()
        return .passed
    }
}
