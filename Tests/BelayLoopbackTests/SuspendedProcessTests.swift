import Belay
import BelayFaults
import Foundation
import Testing

/// A real process that the system stopped for longer than its heartbeat allows, as it stops an app
/// behind the home screen: nobody tells it, and its timers are overdue when it goes on.
@Suite(.timeLimit(.minutes(5))) struct `A client that was stopped and goes on` {
    private static let arguments = ["--ping", "0.2", "--timeout", "2"]

    /// Lives beside the stopped process, and answers when it has had this many answers: time that
    /// has passed, seen by something that happened.
    private static func outlast(pongs: UInt32) async throws {
        let endpoint = Endpoint()
        let port = try await endpoint.start()
        let companion = WebSocketConnection(
            url: try ConnectionURL("ws://127.0.0.1:\(port)/ws"),
            heartbeat: .every(.milliseconds(200), timeout: .seconds(30)))
        let reading = Task { for await _ in companion.events {} }
        await endpoint.waitUntil { $0.contains { $0.event == .pingReceived(Int(pongs)) } }
        reading.cancel()
        await endpoint.stop()
    }

    private static func watch(_ port: UInt16) throws -> Watched {
        try Watched(["watch", "ws://127.0.0.1:\(port)/ws"] + arguments)
    }

    /// The generation that lives: the first line that tells of an answered ping.
    private static func living(_ watched: Watched) async throws -> (present: String, next: String) {
        let line = try #require(await watched.line(with: "pong ", "ms"))
        let word = try #require(line.split(separator: " ").first { $0.hasPrefix("g") })
        let number = try #require(Int(word.dropFirst()))
        return ("  g\(number)  ", "  g\(number + 1)  ")
    }

    @Test func `keeps the connection of a server that stayed alive`() async throws {
        let endpoint = Endpoint()
        let watched = try Self.watch(try await endpoint.start())
        let (present, _) = try await Self.living(watched)
        watched.send(SIGSTOP)
        try await Self.outlast(pongs: 15)
        let before = watched.all.count
        watched.send(SIGCONT)
        for _ in 0..<4 { #expect(await watched.line(with: present, "pong ", "ms") != nil) }
        #expect(watched.all[before...].allSatisfy { !$0.contains("→") })
        await endpoint.stop()
    }

    // P1, P4
    @Test func `observes its path anew, which was unknown meanwhile`() async throws {
        let endpoint = Endpoint()
        let port = try await endpoint.start()
        let watched = try Watched(
            ["watch", "ws://127.0.0.1:\(port)/ws", "--path"] + Self.arguments)
        #expect(await watched.line(with: "  g1  path ", "change 1") != nil)
        _ = try await Self.living(watched)
        watched.send(SIGSTOP)
        try await Self.outlast(pongs: 15)
        watched.send(SIGCONT)
        #expect(await watched.line(with: "  g2  path ", "change 1") != nil)
        await endpoint.stop()
    }

    @Test func `replaces the connection of a server that ended meanwhile`() async throws {
        let endpoint = Endpoint()
        let port = try await endpoint.start()
        let watched = try Self.watch(port)
        let (present, next) = try await Self.living(watched)
        watched.send(SIGSTOP)
        await endpoint.stop()
        try await endpoint.start(port: port)
        try await Self.outlast(pongs: 15)
        watched.send(SIGCONT)
        #expect(await watched.line(with: present, "ended", "open → waiting", "peerVanished") != nil)
        #expect(await watched.line(with: next, "connecting → open") != nil)
        #expect(await watched.line(with: next, "pong ", "ms") != nil)
        await endpoint.stop()
    }

    @Test func `replaces the connection of a server that fell silent meanwhile`() async throws {
        let endpoint = Endpoint()
        let watched = try Self.watch(try await endpoint.start())
        let (present, next) = try await Self.living(watched)
        watched.send(SIGSTOP)
        let connections = await endpoint.record.entries.map(\.connection).max() ?? 1
        await endpoint.setPlan(
            FaultPlan(
                rules: (1...connections).map {
                    FaultRule(on: .only($0), at: .ping(.every), .pong(.missing))
                }))
        try await Self.outlast(pongs: 15)
        watched.send(SIGCONT)
        #expect(await watched.line(with: present, "open → waiting", "heartbeatTimedOut") != nil)
        #expect(await watched.line(with: next, "pong ", "ms") != nil)
        await endpoint.stop()
    }

    /// All but the first of `count` messages wait in its socket when it goes on, behind a ping that
    /// was never answered and whose deadline has passed: they are heard first of all.
    @Test(arguments: [false, true])
    func `hears what waited for it before it judges`(endsBehindIt: Bool) async throws {
        let count = 60
        let endpoint = Endpoint(
            plan: FaultPlan(rules: [FaultRule(on: 1, at: .ping(1), .pong(.missing))]))
        let port = try await endpoint.start()
        let watched = try Watched(
            ["watch", "ws://127.0.0.1:\(port)/ws?count=\(count)&interval=100"] + Self.arguments)
        #expect(await watched.line(with: "pingHandedOver 1") != nil)
        watched.send(SIGSTOP)
        // Six seconds, of which the ping's deadline is two.
        await endpoint.waitUntil { entries in
            entries.count { if case .messageSent = $0.event { true } else { false } } == count
        }
        if endsBehindIt { await endpoint.stop() }
        watched.send(SIGCONT)
        let verdict = await watched.line { $0.contains("pong ") || $0.contains("→ waiting") }
        #expect(verdict?.contains(endsBehindIt ? "peerVanished" : "pong 2") == true)
        let heard = watched.all.filter { $0.contains("received") }
        #expect(heard.count == count)
        await endpoint.stop()
    }
}
