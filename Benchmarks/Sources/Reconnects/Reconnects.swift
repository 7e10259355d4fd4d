import Belay
import BelayFaults
import Footprint
import Foundation

/// Loses one connection after the other, and sees that none leaves anything behind.
///
/// Endpoint and client live in this process, so that a leak of either shows. What a way to lose a
/// connection costs for good (pools, caches, the allocator's own) is paid in the first half.
///
/// Exit codes: 0 flat, 1 something grows, 2 usage.
@main
struct Reconnects {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let count = arguments.first.map { Int($0) ?? 0 } ?? 10_000
        guard arguments.count <= 1, count >= 1_000 else {
            complain("usage: soak-reconnects [COUNT]\n  COUNT  of reconnects, 1000 or more")
            exit(2)
        }
        var grown: [String] = []
        for way in Way.allCases {
            print("\n\(way.title), \(count) times")
            let footprints = try await way.lose(count)
            for (number, footprint) in footprints { print("  after \(number): \(footprint)") }
            fflush(nil)
            if let fault = Footprint.growth(of: footprints.map(\.1), over: count) {
                grown.append("\(way.title): \(fault)")
            }
        }
        for fault in grown { complain(fault) }
        exit(grown.isEmpty ? 0 : 1)
    }

    private static func complain(_ text: String) {
        FileHandle.standardError.write(Data("error: \(text)\n".utf8))
    }
}

/// How connections are lost.
private enum Way: CaseIterable {
    case webSocketOpened, webSocketRefused, webSocketUnreachable, eventStream

    var title: String {
        switch self {
        case .webSocketOpened: "WebSockets that open and are reset"
        case .webSocketRefused: "WebSockets that are refused with 503"
        case .webSocketUnreachable: "WebSockets that find nobody"
        case .eventStream: "event streams that are reset after their head"
        }
    }

    private var plan: FaultPlan {
        let rule: FaultRule? =
            switch self {
            case .webSocketOpened: FaultRule(at: .opened, .tcp(.reset))
            case .webSocketRefused: FaultRule(at: .handshake, .http(.status(503)))
            case .webSocketUnreachable: nil
            case .eventStream: FaultRule(at: .responseSent, .tcp(.reset))
            }
        return FaultPlan(rules: rule.map { [$0] } ?? [])
    }

    /// Loses `count` connections; answers what the process held after each tenth.
    func lose(_ count: Int) async throws -> [(Int, Footprint)] {
        // A record would grow, as it is meant to.
        let endpoint = Endpoint(plan: plan, limits: EndpointLimits(recordEntries: 0))
        let port = try await endpoint.start()
        if self == .webSocketUnreachable { await endpoint.stop() }
        var configuration = ConnectionConfiguration()
        configuration.shortestWait = .milliseconds(1)
        configuration.firstWait = .milliseconds(1)
        configuration.longestWait = .milliseconds(1)
        configuration.lifetimeFloor = nil
        var footprints: [(Int, Footprint)] = []
        var losses = 0
        func lost() {
            losses += 1
            if losses.isMultiple(of: count / 10) { footprints.append((losses, Footprint.now)) }
        }
        switch self {
        case .eventStream:
            let feed = EventSource(
                url: try ConnectionURL("http://127.0.0.1:\(port)/events"),
                configuration: configuration)
            async let processed: Void = feed.process { _ in }
            // Seen are at most as many as there were.
            for await outcome in feed.outcomes where outcome != .none && outcome != .succeeded {
                lost()
                if losses == count { break }
            }
            feed.close()
            try await processed
        case .webSocketOpened, .webSocketRefused, .webSocketUnreachable:
            let chat = WebSocketConnection(
                url: try ConnectionURL("ws://127.0.0.1:\(port)/ws"), configuration: configuration)
            for await event in chat.events {
                guard case .closed = event else { continue }
                lost()
                if losses == count { chat.close() }
            }
        }
        await endpoint.stop()
        return footprints
    }
}
