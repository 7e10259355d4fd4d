import Belay
import BelayFaults
import Footprint
import Foundation

/// How connections are lost.
enum Way: CaseIterable {
    case webSocketOpened, webSocketRefused, webSocketUnreachable, eventStream, webSocketOverTLS

    var title: String {
        switch self {
        case .webSocketOpened: "WebSockets that open and are reset"
        case .webSocketRefused: "WebSockets that are refused with 503"
        case .webSocketUnreachable: "WebSockets that find nobody"
        case .eventStream: "event streams that are reset after their head"
        case .webSocketOverTLS: "WebSockets over TLS that open and are reset"
        }
    }

    /// Whether each connection opens before it is lost.
    private var opens: Bool { self == .webSocketOpened || self == .webSocketOverTLS }

    private var plan: FaultPlan {
        let rule: FaultRule? =
            switch self {
            case .webSocketOpened, .webSocketOverTLS: FaultRule(at: .opened, .tcp(.reset))
            case .webSocketRefused: FaultRule(at: .handshake, .http(.status(503)))
            case .webSocketUnreachable: nil
            case .eventStream: FaultRule(at: .responseSent, .tcp(.reset))
            }
        return FaultPlan(rules: rule.map { [$0] } ?? [])
    }

    /// Loses `count` connections.
    func lose(_ count: Int) async throws -> Losses {
        // A record would grow, as it is meant to.
        let endpoint = Endpoint(plan: plan, limits: EndpointLimits(recordEntries: 0))
        let port = try await endpoint.start()
        if self == .webSocketUnreachable { await endpoint.stop() }
        var losses = Losses(wanted: count, opens: opens)
        switch self {
        case .eventStream:
            try await Self.loseEventStreams(at: port, &losses)
        case .webSocketOpened, .webSocketRefused, .webSocketUnreachable:
            let url = try ConnectionURL("ws://127.0.0.1:\(port)/ws")
            await Self.loseWebSockets(
                WebSocketConnection(url: url, configuration: Self.impatient), &losses)
        case .webSocketOverTLS:
            let peer = try TLSPeer(before: port)
            let connection = WebSocketConnection(
                url: try ConnectionURL("wss://127.0.0.1:\(peer.port)/ws"),
                configuration: Self.impatient,
                transport: try DefaultTransport.webSocket(tls: peer.trusting))
            await Self.loseWebSockets(connection, &losses)
        }
        await endpoint.stop()
        return losses
    }

    private static var impatient: ConnectionConfiguration {
        var configuration = ConnectionConfiguration()
        configuration.shortestWait = .milliseconds(1)
        configuration.firstWait = .milliseconds(1)
        configuration.longestWait = .milliseconds(1)
        configuration.lifetimeFloor = nil
        return configuration
    }

    private static func loseWebSockets(
        _ connection: WebSocketConnection, _ losses: inout Losses
    ) async {
        for await event in connection.events {
            switch event {
            case .opened: losses.opened()
            case .closed: if losses.lost() { connection.close() }
            case .message: break
            }
        }
    }

    private static func loseEventStreams(at port: UInt16, _ losses: inout Losses) async throws {
        let feed = EventSource(
            url: try ConnectionURL("http://127.0.0.1:\(port)/events"), configuration: impatient)
        async let processed: Void = feed.process { _ in }
        // Seen are at most as many as there were.
        for await outcome in feed.outcomes where outcome != .none && outcome != .succeeded {
            if losses.lost() { break }
        }
        feed.close()
        try await processed
    }
}

/// What was lost, and what this process held meanwhile.
struct Losses {
    let wanted: Int
    /// Whether each is to open before it is lost.
    let opens: Bool
    private var count = 0
    private var openings = 0
    /// After each tenth: how many were lost, and what was held.
    private(set) var footprints: [(Int, Footprint)] = []

    init(wanted: Int, opens: Bool) {
        (self.wanted, self.opens) = (wanted, opens)
    }

    mutating func opened() { openings += 1 }

    /// Counts one; whether it was the last.
    mutating func lost() -> Bool {
        count += 1
        if count.isMultiple(of: wanted / 10) { footprints.append((count, Footprint.now)) }
        return count == wanted
    }

    /// Why this showed nothing: what never opened was lost in another way. A reset may overtake
    /// the answer to an opening handshake, so a few are let pass.
    var fault: String? {
        opens && openings < wanted * 9 / 10 ? "only \(openings) of \(wanted) opened" : nil
    }
}
