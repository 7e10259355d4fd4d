import Belay

/// `belay watch`: shows live what the system says of the network path.
struct WatchCommand: Subcommand {
    static let name = "watch"
    static let summary = "shows a line for each change of the network path, until interrupted"
    static let options = [
        Option("--path", nil, "watches the path; there is nothing else to watch yet"),
        Option("--towards", "IP", "the address that it is to lead to; default: the Internet"),
    ]
    static let notes = [
        "The path is a hint: a request may work without one, and fail with one.",
        "Apple's systems do not ask where to, and know what it costs; Linux does not know.",
    ]

    private let path: NetworkPath

    init(_ arguments: Arguments) throws(UsageError) {
        try arguments.refuseOperands()
        guard arguments.has("--path") else {
            throw UsageError("nothing to watch", hint: "try belay watch --path")
        }
        guard let address = arguments["--towards"] else {
            path = NetworkPath()
            return
        }
        guard let path = NetworkPath(towards: address) else {
            throw UsageError(
                "\(address) is no IPv4 or IPv6 address",
                hint: "write it in digits, as 192.0.2.1 or 2001:db8::1")
        }
        self.path = path
    }

    func run(on terminal: Terminal) async -> ExitCode {
        _ = await Interruption.watched {
            let start = ContinuousClock.now
            path.restart()
            // Generation zero is the path that nobody observes yet.
            for await hint in path.hints where hint.generation != .zero {
                terminal.output.line(Self.line(hint.newest, after: ContinuousClock.now - start))
            }
        }
        return .passed
    }

    /// One report, `elapsed` after the begin.
    static func line(_ update: PathUpdate, after elapsed: Duration) -> String {
        let milliseconds = "\(Int(elapsed / .milliseconds(1)))"
        let padding = String(repeating: " ", count: max(0, 8 - milliseconds.count))
        // Nothing was reported yet.
        guard update.change > 0 else { return "\(padding)\(milliseconds) ms  \(update.state)" }
        return "\(padding)\(milliseconds) ms  \(update.state), change \(update.change), "
            + "expensive: \(update.expensive), constrained: \(update.constrained)"
    }
}
