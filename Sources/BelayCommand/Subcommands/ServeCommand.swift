import BelayFaults

/// `belay serve`: the endpoint of the acceptance, for hands, curl, a simulator, any app.
struct ServeCommand: Subcommand {
    static let name = "serve"
    static let summary = "runs the endpoint that misbehaves on command, until interrupted"
    static let options = [
        Option("--port", "N", "1 to 65535, or 0 for one that is free; default 8765"),
        Option("--host", "H", "a numeric address; default 127.0.0.1"),
        Option("--public", nil, "allows an address that other machines reach"),
    ]
    static let notes = [
        "A simulator reaches the loopback of its host; a device does not, and needs --public.",
        "An exception for plaintext HTTP belongs in debug builds only, and for this address only.",
    ]

    private let port: UInt16
    private let host: String
    private let isPublic: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        try arguments.refuseOperands()
        port = try arguments.number("--port", in: 0...UInt16.max) ?? 8_765
        host = arguments["--host"] ?? "127.0.0.1"
        isPublic = arguments.has("--public")
    }

    func run(on terminal: Terminal) async -> ExitCode {
        let endpoint = Endpoint()
        do throws(EndpointError) {
            let port = try await start(endpoint, on: terminal)
            terminal.output.write(EndpointGuide(host: host, port: port).text)
        } catch {
            return refused(error, on: terminal)
        }
        _ = await Interruption.watched {
            // Never true: the wait ends by cancellation.
            await endpoint.waitUntil { _ in false }
        }
        await endpoint.stop()
        return .passed
    }

    /// Listens, and warns where that is dangerous: a loopback is not, whatever was allowed.
    private func start(
        _ endpoint: Endpoint, on terminal: Terminal
    ) async throws(EndpointError) -> UInt16 {
        do throws(EndpointError) {
            return try await endpoint.start(host: host, port: port)
        } catch {
            guard isPublic, case .notLoopback = error else { throw error }
        }
        let port = try await endpoint.start(host: host, port: port, exposure: .anyAddress)
        terminal.talk.line(
            "warning: \(host) may be reached from other machines, and anyone who reaches it may "
                + "use the endpoint")
        return port
    }

    private func refused(_ error: EndpointError, on terminal: Terminal) -> ExitCode {
        switch error {
        case .notAnAddress:
            terminal.error(
                "\(error)", hint: "write it in digits, as 127.0.0.1 or ::1, without brackets")
            return .usage
        case .notLoopback:
            terminal.error(
                "\(host) can be reached from other machines",
                hint: "say --public if they may, or use --host 127.0.0.1")
            return .usage
        case .cannotListen:
            terminal.error(
                "\(error)",
                hint: "stop what uses the port, or choose another: --port 0 takes a free one; "
                    + "--host is one of this machine's own")
            return .failed
        case .alreadyStarted:
            terminal.error("\(error)", hint: "this is a bug of Belay's; please report it")
            return .internalError
        }
    }
}
