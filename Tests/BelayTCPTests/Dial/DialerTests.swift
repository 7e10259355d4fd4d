import BelayCore
import BelayTransport
import BelayWire
import Testing

@testable import BelayTCP

@Suite(.tags(.realTime), .timeLimit(.minutes(5)))
struct `A dial through a proxy` {
    /// A peer that only the proxy could find.
    private static let url = "ws://inside.invalid:81/chat"

    private static func settings(_ proxy: ScriptedPeer) throws -> DialSettings {
        let field = try RequestField("Proxy-Authorization", "Basic eDp5")
        return DialSettings.patient(
            proxy: HTTPProxy(host: "127.0.0.1", port: proxy.port, fields: [field]))
    }

    @Test func `asks for the peer by name, and then speaks to the peer`() async throws {
        try await onLoop { bench in
            let proxy = try ScriptedPeer(on: bench.loop)
            let socket = LoggedWebSocket(
                to: try ConnectionURL(Self.url), try Self.settings(proxy), on: bench.loop)
            let tunnel = try await proxy.accept()
            #expect(
                tunnel.events.text
                    == "CONNECT inside.invalid:81 HTTP/1.1\r\nHost: inside.invalid:81\r\n"
                    + "Proxy-Authorization: Basic eDp5\r\n\r\n")
            let head = tunnel.events.received.count
            tunnel.say("HTTP/1.1 200 Connection established\r\n\r\n")
            try await tunnel.events.wait(until: {
                tunnel.events.received.count > head && tunnel.events.text.hasSuffix("\r\n\r\n")
            })
            let request = String(decoding: tunnel.events.received[head...], as: UTF8.self)
            #expect(request.hasPrefix("GET /chat HTTP/1.1\r\n"))
            // The secret for the proxy is none of the peer's.
            #expect(!request.contains("Proxy-Authorization"))
            socket.channel.abort()
        }
    }

    struct Refusal: CustomTestStringConvertible, Sendable {
        let answer: String
        let cause: CloseCause
        var retryAfter: Milliseconds?
        let testDescription: String

        static let all = [
            Refusal(
                answer: "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n",
                cause: .proxyRefused(status: 407), testDescription: "without credentials"),
            Refusal(
                answer: "HTTP/1.1 403 Forbidden\r\n\r\n",
                cause: .proxyRefused(status: 403), testDescription: "as the peer is forbidden"),
            Refusal(
                answer: "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 2\r\n\r\nno",
                cause: .proxyRefused(status: 502), testDescription: "as the peer is not there"),
            Refusal(
                answer: "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\n\r\n",
                cause: .proxyRefused(status: 429), retryAfter: 7_000,
                testDescription: "for being asked too often, and says for how long"),
            Refusal(
                answer: "HTTP/1.1 503 Busy\r\nRetry-After: 120\r\n\r\n",
                cause: .proxyRefused(status: 503), retryAfter: 120_000,
                testDescription: "as it has too much to do, and says for how long"),
            Refusal(
                answer: "HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 101 Switching Protocols\r\n\r\n",
                cause: .peerViolatedProtocol(code: 1002),
                testDescription: "by words that no peer can have said yet"),
            Refusal(
                answer: "SSH-2.0-OpenSSH\r\n\r\n", cause: .peerViolatedProtocol(code: 1002),
                testDescription: "by another protocol"),
            Refusal(answer: "HTTP/1.1 2", cause: .peerVanished, testDescription: "by a FIN"),
        ]
    }

    @Test(arguments: Refusal.all)
    func `ends where the proxy refuses`(_ refusal: Refusal) async throws {
        try await onLoop { bench in
            let proxy = try ScriptedPeer(on: bench.loop)
            let socket = LoggedWebSocket(
                to: try ConnectionURL(Self.url), try Self.settings(proxy), on: bench.loop)
            let tunnel = try await proxy.accept()
            tunnel.say(refusal.answer)
            tunnel.stream.shutdownWriting()
            let end = try await socket.log.next()
            #expect(end == .ended(refusal.cause, retryAfter: refusal.retryAfter))
        }
    }

    @Test func `that is cancelled lets go of the proxy and says nothing`() async throws {  // A8
        try await onLoop { bench in
            let proxy = try ScriptedPeer(on: bench.loop)
            let socket = LoggedWebSocket(
                to: try ConnectionURL(Self.url), try Self.settings(proxy), on: bench.loop)
            let tunnel = try await proxy.accept()
            let before = bench.loop.registeredCount
            socket.channel.abort()
            #expect(bench.loop.registeredCount == before - 1)
            try await tunnel.events.wait(until: { tunnel.events.hasEnded })
            #expect(await socket.log.unreadCount == 0)
        }
    }

    @Test func `is refused where no proxy listens`() async throws {
        try await onLoop { bench in
            let settings = DialSettings.patient(proxy: HTTPProxy(host: "127.0.0.1", port: 1))
            let socket = LoggedWebSocket(
                to: try ConnectionURL(Self.url), settings, on: bench.loop)
            #expect(try await socket.log.next() == .ended(.connectFailed(.refused)))
        }
    }

    @Test(.enabled(if: TLSPeer.isAvailable, TLSPeer.absence))
    func `leads TLS through, which the proxy cannot read`() async throws {
        let peer = try TLSPeer.shared
        try await onLoop { bench in
            let proxy = try ScriptedPeer(on: bench.loop)
            var settings = try Self.settings(proxy)
            settings.tls = peer.trusting
            let socket = LoggedWebSocket(
                to: try peer.url(of: .good, host: "localhost"), settings, on: bench.loop)
            let tunnel = try await proxy.accept()
            let out = RecordedStream(
                try await connect(to: try peer.port(of: .good), on: bench.loop))
            tunnel.events.onReceive = { _, bytes in out.stream.write(bytes) }
            out.events.onReceive = { _, bytes in tunnel.stream.write(bytes) }
            tunnel.say("HTTP/1.1 200 OK\r\n\r\n")
            // What did not come is followed by nothing: the waits below would never end.
            let opening = try await socket.log.next()
            try #require(opening == .opened(subprotocol: nil))
            socket.channel.send(.text("secret"), number: 1)
            let sending = try await socket.log.next()
            try #require(sending == .sent(1))
            #expect(try await socket.log.next() == .received(.text("secret")))
            #expect(!tunnel.events.text.contains("secret"))
            #expect(!tunnel.events.text.contains("GET"))
            for end in [tunnel, out] { end.events.onReceive = nil }
            socket.channel.abort()
        }
    }
}

@Suite(.tags(.realTime), .timeLimit(.minutes(5)))
struct `A dial` {
    @Test func `ends at its deadline where the proxy says nothing`() async throws {
        try await onLoop { bench in
            let proxy = try ScriptedPeer(on: bench.loop)
            // A busy machine must come to the proxy before it.
            let deadline = bench.loop.now + 2_000
            let outcome = Promise<Result<TCPStream, EndCause>>()
            let dialer = Dialer(
                to: try ConnectionURL("ws://inside.invalid/"),
                DialSettings.patient(proxy: HTTPProxy(host: "127.0.0.1", port: proxy.port)),
                headLimits: .default, deadline: deadline, on: bench.loop
            ) { outcome.put($0) }
            let tunnel = try await proxy.accept()
            guard case .failure(let end) = try await outcome.value() else {
                Issue.record("came through a proxy that said nothing")
                return
            }
            #expect(end.cause == .connectFailed(.timedOut))
            #expect(bench.loop.now >= deadline)
            try await tunnel.events.wait(until: { tunnel.events.hasEnded })
            dialer.cancel()
        }
    }

    struct Stage: CustomTestStringConvertible, Sendable {
        let server: TLSPeer.Server
        let host: String
        let target: String
        let testDescription: String
    }

    /// The number of turns that each dial has before it is cancelled runs through the stages up
    /// to the one where the server leaves it.
    @Test(
        .enabled(if: TLSPeer.isAvailable, TLSPeer.absence),
        arguments: [
            Stage(
                server: .silent, host: "localhost", target: "/", testDescription: "looking up"),
            Stage(
                server: .silent, host: "127.0.0.1", target: "/", testDescription: "shaking hands"),
            Stage(
                server: .good, host: "127.0.0.1", target: "/silent", testDescription: "upgrading"),
            Stage(
                server: .good, host: "localhost", target: "/echo", testDescription: "open"),
        ])
    func `that is cancelled leaves no descriptor and says nothing more`(
        _ stage: Stage
    ) async throws {  // A8
        let peer = try TLSPeer.shared
        try await onLoop { bench in
            let url = try peer.url(of: stage.server, host: stage.host, stage.target)
            for turns in 0..<50 {
                let socket = LoggedWebSocket(
                    to: url, DialSettings.patient(tls: peer.trusting), on: bench.loop)
                for _ in 0..<turns { await bench.loop.call {} }
                socket.channel.abort()
                let told = socket.log.unreadCountAtOnce
                #expect(bench.loop.registeredCount == 0)
                await bench.loop.call {}
                #expect(await socket.log.unreadCount == told)
            }
        }
    }
}
