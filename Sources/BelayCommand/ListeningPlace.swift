import BelayFaults

/// What a subcommand runs at its place until it is over, or interrupted.
protocol PlacedServer: Sendable {
    func start(host: String, port: UInt16, exposure: Exposure) async throws(EndpointError) -> UInt16
    /// Returns at its own end, or when cancelled.
    func waitUntilOver() async
    func stop() async
}

/// Where a subcommand listens, as its options say, and what is said where that cannot be.
struct ListeningPlace: Hashable, Sendable {
    static func options(port standard: UInt16) -> [Option] {
        [
            Option("--port", "N", "1 to 65535, or 0 for one that is free; default \(standard)"),
            Option("--host", "H", "a numeric address; default 127.0.0.1"),
            Option("--public", nil, "allows an address that other machines reach"),
        ]
    }

    let port: UInt16
    let host: String
    let isPublic: Bool

    init(_ arguments: Arguments, port standard: UInt16) throws(UsageError) {
        port = try arguments.number("--port", in: 0...UInt16.max) ?? standard
        host = arguments["--host"] ?? "127.0.0.1"
        isPublic = arguments.has("--public")
    }

    /// The place as an address, at the port that was opened.
    func address(port: UInt16) -> String {
        let shown = host.contains(":") ? "[\(host)]" : host
        return "http://\(shown):\(port)"
    }

    /// Runs `server` here until it is over or interrupted; `greeting` is said once it listens.
    func serve(
        _ server: some PlacedServer, on terminal: Terminal, greeting: (_ address: String) -> String
    ) async -> ExitCode {
        do throws(EndpointError) {
            let port = try await open(server, on: terminal)
            terminal.output.write(greeting(address(port: port)))
        } catch {
            return refused(error, on: terminal)
        }
        _ = await Interruption.watched { await server.waitUntilOver() }
        await server.stop()
        return .passed
    }

    /// Listens, and warns where that is dangerous: a loopback is not, whatever was allowed.
    private func open(
        _ server: some PlacedServer, on terminal: Terminal
    ) async throws(EndpointError) -> UInt16 {
        do throws(EndpointError) {
            return try await server.start(host: host, port: port, exposure: .loopbackOnly)
        } catch {
            guard isPublic, case .notLoopback = error else { throw error }
        }
        let port = try await server.start(host: host, port: port, exposure: .anyAddress)
        terminal.talk.line(
            "warning: \(host) may be reached from other machines, and anyone who reaches it may "
                + "use what listens there")
        return port
    }

    /// Says why nothing listens.
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
