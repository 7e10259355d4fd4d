import BelayCore
import BelayTransport
import Foundation
import Testing

@testable import BelayTCP

@Suite(
    .tags(.realTime), .timeLimit(.minutes(5)), .enabled(if: TLSPeer.isAvailable, TLSPeer.absence))
struct `A connection through TLS` {
    struct Way: CustomTestStringConvertible, Sendable {
        let server: TLSPeer.Server
        var host = "127.0.0.1"
        var presents = false
        var minimum = TLSPolicy.Version.tls12
        let testDescription: String

        static let good = [
            Way(server: .good, testDescription: "an address that the certificate names"),
            Way(server: .good, host: "localhost", testDescription: "a name that it names"),
            Way(server: .good, minimum: .tls13, testDescription: "the newest version"),
            Way(server: .old, testDescription: "a version that is still allowed"),
            Way(server: .asking, presents: true, testDescription: "a client certificate"),
            Way(server: .drip, testDescription: "a server that drips byte by byte"),
        ]

        static let bad = [
            Way(server: .stranger, testDescription: "a certificate that signed itself"),
            Way(server: .other, testDescription: "another host's certificate"),
            Way(server: .other, host: "localhost", testDescription: "another name's certificate"),
            Way(server: .expired, testDescription: "a certificate of yesterday"),
            Way(server: .asking, testDescription: "no certificate where one is asked for"),
            Way(server: .old, minimum: .tls13, testDescription: "a version that is too old"),
            Way(server: .cut, testDescription: "a FIN inside the handshake"),
            Way(server: .reset, testDescription: "an RST inside the handshake"),
            Way(server: .clear, testDescription: "a server in the clear"),
        ]

        func settings(_ peer: TLSPeer) -> DialSettings {
            var policy = presents ? peer.presenting : peer.trusting
            policy.minimumVersion = minimum
            return DialSettings.patient(tls: policy)
        }
    }

    @Test(arguments: Way.good)
    func `opens, carries messages and closes`(_ way: Way) async throws {
        let peer = try TLSPeer.shared
        try await onLoop { bench in
            let socket = LoggedWebSocket(
                to: try peer.url(of: way.server, host: way.host), way.settings(peer),
                on: bench.loop)
            #expect(try await socket.log.next() == .opened(subprotocol: nil))
            socket.channel.send(.text("hé"), number: 1)
            #expect(try await socket.log.next() == .sent(1))
            #expect(try await socket.log.next() == .received(.text("hé")))
            guard way.server != .drip else { return socket.channel.abort() }
            socket.channel.close(code: 1000, reason: "")
            #expect(try await socket.log.next() == .ended(.closedLocally))
        }
    }

    // D12
    @Test(arguments: Way.bad)
    func `fails before a byte of the application leaves`(_ way: Way) async throws {
        let peer = try TLSPeer.shared
        try await onLoop { bench in
            let socket = LoggedWebSocket(
                to: try peer.url(of: way.server, host: way.host), way.settings(peer),
                on: bench.loop)
            let seen = try await socket.log.next()
            #expect(seen == .ended(.tlsFailed))
        }
    }

    @Test func `trusts no authority that only a file of ours would name`() async throws {  // D12
        let peer = try TLSPeer.shared
        try await onLoop { bench in
            let socket = LoggedWebSocket(
                to: try peer.url(of: .good), DialSettings.patient(), on: bench.loop)
            #expect(try await socket.log.next() == .ended(.tlsFailed))
        }
    }

    struct Ending: CustomTestStringConvertible, Sendable {
        let target: String
        let cause: CloseCause
        var testDescription: String { target }
    }

    // F13
    @Test(arguments: [
        Ending(target: "/notify", cause: .peerVanished),
        Ending(target: "/cut", cause: .truncated),
        Ending(target: "/reset", cause: .reset),
    ])
    func `tells close_notify, a bare FIN and an RST apart`(_ ending: Ending) async throws {
        let peer = try TLSPeer.shared
        try await onLoop { bench in
            let socket = LoggedWebSocket(
                to: try peer.url(of: .good, ending.target),
                DialSettings.patient(tls: peer.trusting),
                on: bench.loop)
            #expect(try await socket.log.next() == .opened(subprotocol: nil))
            #expect(try await socket.log.next() == .received(.text("last words")))
            socket.channel.send(.text(""), number: 1)
            #expect(try await socket.log.next() == .sent(1))
            #expect(try await socket.log.next() == .ended(ending.cause))
        }
    }

    @Test func `ends in order by a bare FIN where both Close frames went by`() async throws {
        let peer = try TLSPeer.shared
        try await onLoop { bench in
            let socket = LoggedWebSocket(
                to: try peer.url(of: .good, "/close-cut"), DialSettings.patient(tls: peer.trusting),
                on: bench.loop)
            #expect(try await socket.log.next() == .opened(subprotocol: nil))
            socket.channel.close(code: 1000, reason: "")
            #expect(try await socket.log.next() == .ended(.closedLocally))
        }
    }

    @Test func `carries large messages both ways at once`() async throws {
        let peer = try TLSPeer.shared
        try await onLoop { bench in
            let socket = LoggedWebSocket(
                to: try peer.url(of: .good), DialSettings.patient(tls: peer.trusting),
                on: bench.loop)
            #expect(try await socket.log.next() == .opened(subprotocol: nil))
            let bytes = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) }
            var echoes = 0
            var sent: [UInt64] = []
            for number in 1...4 { socket.channel.send(.binary(bytes), number: UInt64(number)) }
            while echoes < 4 || sent.count < 4 {
                switch try await socket.log.next() {
                case .received(.binary(let echo)):
                    #expect(echo == bytes)
                    echoes += 1
                case .sent(let number): sent.append(number)
                case let other: Issue.record("unexpected: \(other)")
                }
            }
            #expect(sent == [1, 2, 3, 4])
            socket.channel.abort()
        }
    }

    @Test func `delivers nothing while it is paused, and all of it afterwards`() async throws {
        let peer = try TLSPeer.shared
        try await onLoop { bench in
            let settings = DialSettings.patient(tls: peer.trusting)
            let socket = LoggedWebSocket(to: try peer.url(of: .good), settings, on: bench.loop)
            #expect(try await socket.log.next() == .opened(subprotocol: nil))
            socket.channel.setReading(.paused)
            socket.channel.send(.binary([UInt8](repeating: 1, count: 100_000)), number: 1)
            #expect(try await socket.log.next() == .sent(1))
            // Another connection's echo goes its whole way meanwhile.
            let other = LoggedWebSocket(to: try peer.url(of: .good), settings, on: bench.loop)
            #expect(try await other.log.next() == .opened(subprotocol: nil))
            other.channel.send(.text("x"), number: 1)
            #expect(try await other.log.next() == .sent(1))
            #expect(try await other.log.next() == .received(.text("x")))
            #expect(await socket.log.unreadCount == 0)
            socket.channel.setReading(.flowing)
            let expected = WebSocketMessage.binary([UInt8](repeating: 1, count: 100_000))
            #expect(try await socket.log.next() == .received(expected))
            for channel in [socket.channel, other.channel] { channel.abort() }
        }
    }

    @Test func `ends our way by close_notify, and reads on`() async throws {
        let peer = try TLSPeer.shared
        try await onLoop { bench in
            let stream = try await connect(to: try peer.port(of: .half), on: bench.loop)
            try stream.secure(peer.trusting, host: "localhost")
            let end = RecordedStream(stream)
            let bytes = [UInt8](repeating: 7, count: 3_000_000)
            let mark = end.stream.write(bytes)
            end.stream.shutdownWriting()
            try await end.events.wait(until: { !end.events.closings.isEmpty })
            #expect(end.events.text == "3000000")
            #expect(end.events.hasEnded)
            #expect(end.events.closings == [nil])
            #expect(end.events.given == mark)
        }
    }

    /// The peer's end comes in one read with bytes that nobody wants any more, and no readiness
    /// follows it. A machine may be busy for as long as a close may take, but not each time.
    @Test func `that closes lets go of its socket once both ways have ended`() async throws {
        let peer = try TLSPeer.shared
        try await onLoop { bench in
            var quickest = Milliseconds.max
            for _ in 0..<5 where quickest >= TCPStream.closeTimeout {
                let stream = try await connect(to: try peer.port(of: .farewell), on: bench.loop)
                try stream.secure(peer.trusting, host: "localhost")
                let end = RecordedStream(stream)
                let start = bench.loop.now
                end.stream.write([1])
                end.stream.close()
                try await end.events.wait(until: { !end.events.closings.isEmpty })
                quickest = min(quickest, bench.loop.now - start)
            }
            #expect(quickest < TCPStream.closeTimeout)
        }
    }

    @Test func `never sees a policy whose files cannot be used`() async throws {
        let peer = try TLSPeer.shared
        let missing = peer.file("no-such.pem")
        let wrongKey = TLSPolicy.ClientCertificate(
            certificateFile: peer.file("client.pem"), keyFile: peer.file("other.key"))
        let wrongCertificate = TLSPolicy.ClientCertificate(
            certificateFile: peer.file("client.key"), keyFile: peer.file("client.key"))
        #expect(throws: TLSPolicy.Invalid.authorities(file: missing)) {
            try TLSPolicy(authoritiesFile: missing).check()
        }
        #expect(throws: TLSPolicy.Invalid.key(file: wrongKey.keyFile)) {
            try TLSPolicy(clientCertificate: wrongKey).check()
        }
        #expect(throws: TLSPolicy.Invalid.certificate(file: wrongCertificate.certificateFile)) {
            try TLSPolicy(clientCertificate: wrongCertificate).check()
        }
        try peer.presenting.check()
        try await onLoop { bench in
            let socket = LoggedWebSocket(
                to: try peer.url(of: .good),
                DialSettings.patient(tls: TLSPolicy(authoritiesFile: missing)),
                on: bench.loop)
            let cause = CloseCause.connectFailed(.system(code: EINVAL))
            #expect(try await socket.log.next() == .ended(cause))
        }
    }
}
