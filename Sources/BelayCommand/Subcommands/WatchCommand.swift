import Belay
import BelayAcceptance

/// `belay watch`: Belay's own client on an address, or the path, and what happens, as it happens.
struct WatchCommand: Subcommand {
    static let name = "watch"
    static let summary = "shows what happens to a connection, or to the network path"
    static let operands = "[URL]"
    static let options = [
        Option("--ping", "SECONDS", "between pings of a WebSocket; default 25"),
        Option("--timeout", "SECONDS", "for a ping's answer; default 10"),
        Option("--path", nil, "watches the path, too, or alone where no URL is named"),
        Option("--towards", "IP", "the address that the path is to lead to; default: the Internet"),
        Option("--json", nil, "prints lines of evidence, for belay report and scripts"),
    ]
    static let notes = [
        "ws and wss are WebSockets, http and https event streams. Events are taken, counted as",
        "processed, and not shown: evidence holds no payload. Ends with the connection, or ^C.",
        "The path is a hint: a request may work without one, and fail with one. Apple's systems",
        "do not ask where to, and know what it costs; Linux knows by NetworkManager, if at all.",
    ]

    private typealias EvidenceSink = @Sendable (EvidenceRecord) -> Void

    private let url: ConnectionURL?
    private let heartbeat: HeartbeatPolicy
    private let isJSON: Bool
    private let watchesPath: Bool
    private let destination: String?

    init(_ arguments: Arguments) throws(UsageError) {
        watchesPath = arguments.has("--path")
        destination = arguments["--towards"]
        isJSON = arguments.has("--json")
        heartbeat = .every(
            try arguments.seconds("--ping") ?? .seconds(25),
            timeout: try arguments.seconds("--timeout") ?? .seconds(10))
        try arguments.refuseOperands(after: 1)
        url = try arguments.operands.first.map(Self.address)
        guard url != nil || watchesPath else {
            throw UsageError(
                "nothing to watch", hint: "write belay watch wss://HOST/PATH, or --path")
        }
        guard let destination else { return }
        guard watchesPath else {
            throw UsageError("--towards says nothing without --path", hint: "add --path")
        }
        guard NetworkPath(towards: destination) != nil else {
            throw UsageError(
                "\(destination) is no IPv4 or IPv6 address",
                hint: "write it in digits, as 192.0.2.1 or 2001:db8::1")
        }
    }

    private static func address(_ text: String) throws(UsageError) -> ConnectionURL {
        do throws(ConnectionURL.Invalid) {
            return try ConnectionURL(text)
        } catch {
            throw UsageError(
                "\(text) is no address: \(error)",
                hint: "write ws, wss, http or https, ://, a host and a path")
        }
    }

    func run(on terminal: Terminal) async -> ExitCode {
        let timeline = Timeline(origin: DefaultTransport.webSocket.domain.now)
        let evidence: EvidenceSink = { [isJSON] record in
            terminal.output.line(
                isJSON ? EvidenceText.line(of: record) : timeline.line(of: record))
        }
        let (end, isInterrupted) = await Interruption.watched { await watch(evidence) }
        guard !isInterrupted, let end else { return url == nil ? .passed : .interrupted }
        terminal.talk.line(end)
        return .failed
    }

    /// Returns when the connection ended for good: why, in a line.
    private func watch(_ evidence: @escaping EvidenceSink) async -> String? {
        let path = path(evidence)
        // Its owner must outlive what reads and hears of it.
        defer { withExtendedLifetime(path) {} }
        path?.restart()
        switch url?.scheme {
        case .ws, .wss: return await watchWebSocket(path, evidence)
        case .http, .https: return await watchStream(path, evidence)
        case nil:
            // Ends by cancellation.
            if let path { for await _ in path.hints {} }
            return nil
        }
    }

    private func path(_ evidence: @escaping EvidenceSink) -> NetworkPath? {
        guard watchesPath else { return nil }
        guard let destination else { return NetworkPath(evidence: evidence) }
        return NetworkPath(towards: destination, evidence: evidence)
    }

    private func watchWebSocket(
        _ path: NetworkPath?, _ evidence: @escaping EvidenceSink
    ) async -> String? {
        guard let url else { return nil }
        let connection = WebSocketConnection(url: url, heartbeat: heartbeat, evidence: evidence)
        path?.inform(connection)
        var cause: CloseCause?
        for await event in connection.events {
            if case .closed(let end) = event { cause = end.cause }
        }
        return "ended: \(cause.map { "\($0.name)" } ?? "nothing was opened")"
    }

    private func watchStream(
        _ path: NetworkPath?, _ evidence: @escaping EvidenceSink
    ) async -> String? {
        guard let url else { return nil }
        let source = EventSource(url: url, evidence: evidence)
        path?.inform(source)
        do throws(BelayError) {
            try await source.process { _ in }
            return "ended: the server said that it is over"
        } catch {
            return "ended: \(error)"
        }
    }
}
