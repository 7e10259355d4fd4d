import Belay
import BelayAcceptance

/// `belay watch`: Belay's own client on an address, and what happens to it, as it happens.
struct WatchCommand: Subcommand {
    static let name = "watch"
    static let summary = "connects with Belay's own client, and shows what happens"
    static let operands = "URL"
    static let options = [
        Option("--ping", "SECONDS", "between pings of a WebSocket; default 25"),
        Option("--timeout", "SECONDS", "for a ping's answer; default 10"),
        Option("--json", nil, "prints lines of evidence, for belay report and scripts"),
    ]
    static let notes = [
        "ws and wss are WebSockets, http and https event streams. Events are taken, counted as",
        "processed, and not shown: evidence holds no payload. Ends with the connection, or ^C.",
    ]

    private let url: ConnectionURL
    private let heartbeat: HeartbeatPolicy
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        guard let text = arguments.operands.first else {
            throw UsageError("no address is named", hint: "write belay watch wss://HOST/PATH")
        }
        try arguments.refuseOperands(after: 1)
        do throws(ConnectionURL.Invalid) {
            url = try ConnectionURL(text)
        } catch {
            throw UsageError(
                "\(text) is no address: \(error)",
                hint: "write ws, wss, http or https, ://, a host and a path")
        }
        heartbeat = .every(
            try arguments.seconds("--ping") ?? .seconds(25),
            timeout: try arguments.seconds("--timeout") ?? .seconds(10))
        isJSON = arguments.has("--json")
    }

    func run(on terminal: Terminal) async -> ExitCode {
        let timeline = Timeline(origin: DefaultTransport.webSocket.domain.now)
        let evidence: @Sendable (EvidenceRecord) -> Void = { [isJSON] record in
            terminal.output.line(
                isJSON ? EvidenceText.line(of: record) : timeline.line(of: record))
        }
        let (end, isInterrupted) = await Interruption.watched {
            await watch(evidence)
        }
        guard !isInterrupted else { return .interrupted }
        terminal.talk.line(end)
        return .failed
    }

    /// Returns when the connection ended for good: why, in a line.
    private func watch(_ evidence: @escaping @Sendable (EvidenceRecord) -> Void) async -> String {
        switch url.scheme {
        case .ws, .wss:
            let connection = WebSocketConnection(
                url: url, heartbeat: heartbeat, evidence: evidence)
            var cause: CloseCause?
            for await event in connection.events {
                if case .closed(let end) = event { cause = end.cause }
            }
            return "ended: \(cause.map { "\($0.name)" } ?? "nothing was opened")"
        case .http, .https:
            let source = EventSource(url: url, evidence: evidence)
            do throws(BelayError) {
                try await source.process { _ in }
                return "ended: the server said that it is over"
            } catch {
                return "ended: \(error)"
            }
        }
    }
}
