import BelayCore
import BelayTCP
import BelayTransport
import BelayWire
import Testing

@Suite(.tags(.realTime), .timeLimit(.minutes(5)))
struct `A WebSocket over TCP ends` {
    @Test(
        arguments: [
            ("880203e8", 1000, "8882 00000000 03e8"), ("8800", 1005, "8880 00000000"),
            ("88050fa0627965", 4000, "8885 00000000 0fa0627965"),
            ("010161 880203f4", 1012, "8882 00000000 03f4"),
            ("880203e8 810161 8801", 1000, "8882 00000000 03e8"),
        ] as [(String, UInt16, String)])
    func `with the peer's code, and answers it`(
        _ said: String, _ code: UInt16, _ answer: String
    ) async throws {  // W24
        try await onLoop { bench in
            let pair = try await WebSocketPair(openOn: bench.loop)
            let patience = bench.loop.now + TCPStream.closeTimeout
            pair.peer.say(hex: said)
            #expect(try await pair.log.next() == .ended(.peerClosed(code: code)))
            let answered = answer.hasSuffix("8880 00000000") ? 1_005 : code
            #expect(pair.channel.closeFrames.received?.code == code)
            #expect(pair.channel.closeFrames.received?.reasonLength == (code == 4_000 ? 3 : 0))
            #expect(pair.channel.closeFrames.sentCode == answered)
            #expect(try await pair.peer.frames(asLongAs: answer) == [UInt8](hex: answer))
            // The server is to end TCP first.
            #expect(!pair.peer.events.hasEnded || bench.loop.now >= patience)
            pair.peer.stream.close()
            try await pair.peer.events.wait(until: { !pair.peer.events.closings.isEmpty })
            #expect(pair.peer.events.closings == [nil])
            #expect(await pair.log.unreadCount == 0)
        }
    }

    @Test func `by its own close when the peer answered and closed`() async throws {
        try await onLoop { bench in
            let pair = try await WebSocketPair(openOn: bench.loop)
            pair.channel.close(code: 1000, reason: "bye")
            pair.channel.send(.text("too late"), number: 1)
            pair.channel.ping(1)
            let expected = "8885 00000000 03e8627965"
            #expect(try await pair.peer.frames(asLongAs: expected) == [UInt8](hex: expected))
            pair.peer.say(hex: "810161 8900 880203e8")
            #expect(try await pair.log.next() == .received(.text("a")))
            #expect(await pair.log.unreadCount == 0)
            pair.peer.stream.shutdownWriting()
            #expect(try await pair.log.next() == .ended(.closedLocally))
            let facts = CloseFrames(received: CloseFrames.Received(code: 1_000), sentCode: 1_000)
            #expect(pair.channel.closeFrames == facts)
            try await pair.peer.events.wait(until: { pair.peer.events.hasEnded })
            #expect(pair.peer.frames == [UInt8](hex: expected))
        }
    }

    @Test func `by its own close also when the peer answered and reset`() async throws {
        try await onLoop { bench in
            let pair = try await WebSocketPair(openOn: bench.loop)
            pair.channel.close(code: 1000, reason: "")
            pair.peer.say(hex: "810161 880203e8")
            #expect(try await pair.log.next() == .received(.text("a")))
            pair.peer.stream.reset()
            #expect(try await pair.log.next() == .ended(.closedLocally))
        }
    }

    @Test func `once when both sides close at the same time`() async throws {
        try await onLoop { bench in
            let pair = try await WebSocketPair(openOn: bench.loop)
            pair.peer.say(hex: "880203e9")
            pair.channel.close(code: 1000, reason: "")
            try await pair.peer.events.wait(until: { pair.peer.frames.count >= 8 })
            pair.peer.stream.close()
            #expect(try await pair.log.next() == .ended(.closedLocally))
            #expect(pair.peer.frames == [UInt8](hex: "8882 00000000 03e8"))
            let facts = CloseFrames(received: CloseFrames.Received(code: 1_001), sentCode: 1_000)
            #expect(pair.channel.closeFrames == facts)
            #expect(await pair.log.unreadCount == 0)
        }
    }

    @Test(arguments: [1005, 1006, 1015, 0, 999, 5000] as [UInt16])
    func `without a code where that code may not be sent`(_ code: UInt16) async throws {
        try await onLoop { bench in
            let pair = try await WebSocketPair(openOn: bench.loop)
            pair.channel.close(code: code, reason: "x")
            let expected = "8880 00000000"
            #expect(try await pair.peer.frames(asLongAs: expected) == [UInt8](hex: expected))
            pair.channel.abort()
        }
    }

    enum Cut: CaseIterable { case fin, halfFrame, reset }

    @Test(arguments: Cut.allCases, [false, true])
    func `as vanished or reset without a Close frame`(
        _ cut: Cut, _ isClosing: Bool
    ) async throws {
        try await onLoop { bench in
            let pair = try await WebSocketPair(openOn: bench.loop)
            if isClosing { pair.channel.close(code: 1000, reason: "") }
            switch cut {
            case .fin: pair.peer.stream.close()
            case .halfFrame:
                pair.peer.say(hex: "8105 68")
                pair.peer.stream.close()
            case .reset: pair.peer.stream.reset()
            }
            #expect(try await pair.log.next() == .ended(cut == .reset ? .reset : .peerVanished))
            #expect(await pair.log.unreadCount == 0)
        }
    }

    @Test(
        arguments: [
            ("8181 00000000 61", 1002), ("800161", 1002), ("010161 810162", 1002), ("0900", 1002),
            ("897e007e", 1002), ("c100", 1002), ("a100", 1002), ("8300", 1002), ("880103", 1002),
            ("880203ed", 1002), ("88025765", 1002), ("827f8000000000000000", 1002),
            ("8102c080", 1007),
            ("0101f4 000190", 1007), ("8804 03e8 c080", 1007),
        ] as [(String, UInt16)])
    func `with the code for what the peer did wrong`(_ said: String, _ code: UInt16) async throws {
        try await onLoop { bench in
            let pair = try await WebSocketPair(openOn: bench.loop)
            pair.peer.say(hex: "82017a" + said)
            #expect(try await pair.log.next() == .received(.binary([0x7A])))
            #expect(try await pair.log.next() == .ended(.peerViolatedProtocol(code: code)))
            // 1005 and 22373 are no codes to send, and what came is kept.
            let forbidden: [String: UInt16] = ["880203ed": 1_005, "88025765": 22_373]
            let received = forbidden[said].map { CloseFrames.Received(code: $0) }
            #expect(pair.channel.closeFrames == CloseFrames(received: received, sentCode: code))
            let answer = [UInt8](hex: "8882 00000000") + [UInt8(code >> 8), UInt8(code & 255)]
            try await pair.peer.events.wait(until: { pair.peer.events.hasEnded })
            #expect(pair.peer.frames == answer)
            pair.peer.stream.close()
        }
    }

    @Test(arguments: [
        ("827f7fffffffffffffff", "03f1"), ("827e00ff", "03f1"),
        ("010161 000161 000161", "03f0"),
    ])
    func `at a limit, before memory is set aside`(_ said: String, _ code: String) async throws {
        try await onLoop { bench in
            let limits = WebSocketLimits(frameBytes: 200, messageBytes: 200, fragments: 2)
            let pair = try await WebSocketPair(openOn: bench.loop, limits: limits)
            pair.peer.say(hex: said)
            #expect(try await pair.log.next() == .ended(.limitExceeded))
            let answer = "8882 00000000" + code
            #expect(try await pair.peer.frames(asLongAs: answer) == [UInt8](hex: answer))
            pair.peer.stream.close()
        }
    }

    // E12 of the public bug reports, with what may be kept of them by default.
    @Test(arguments: ["0001 61", "0000"])
    func `at the limit of fragments in the midst of a million tiny ones`(
        _ fragment: String
    ) async throws {
        try await onLoop { bench in
            let pair = try await WebSocketPair(openOn: bench.loop)
            var fragments = [UInt8](hex: fragment)
            for _ in 0..<20 { fragments += fragments }
            pair.peer.stream.write([UInt8](hex: "0201 61") + fragments)
            #expect(try await pair.log.next() == .ended(.limitExceeded))
            let answer = "8882 00000000 03f0"
            #expect(try await pair.peer.frames(asLongAs: answer) == [UInt8](hex: answer))
            pair.peer.stream.close()
        }
    }

    @Test(
        arguments: [
            (
                "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno",
                .handshakeRefused(status: 403)
            ),
            (
                "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\n\r\n",
                .handshakeRefused(status: 503)
            ),
            (
                "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 9\r\n\r\ntry later",
                .handshakeRefused(status: 503)
            ),
            (
                "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n",
                .handshakeRefused(status: 401)
            ),
            // The body is not waited for.
            (
                "HTTP/1.1 426 Upgrade Required\r\nSec-WebSocket-Version: 8\r\n"
                    + "Content-Length: 1000000\r\n\r\nat length", .handshakeRefused(status: 426)
            ),
            ("HTTP/1.1 302 Found\r\nLocation: /x\r\n\r\n", .handshakeRefused(status: 302)),
            ("HTTP/1.1 200 OK\r\n\r\n", .handshakeRefused(status: 200)),
            (
                "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
                .peerViolatedProtocol(code: 1002)
            ),
            (
                "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: wrong\r\n\r\n", .peerViolatedProtocol(code: 1002)
            ),
            (
                WebSocketPair.switching + "Sec-WebSocket-Accept: \(WebSocketPair.accept)\r\n\r\n",
                .peerViolatedProtocol(code: 1002)
            ),
            (
                WebSocketPair.switching + "Sec-WebSocket-Protocol: other\r\n\r\n",
                .peerViolatedProtocol(code: 1002)
            ),
            ("SSH-2.0-OpenSSH\r\n", .peerViolatedProtocol(code: 1002)),
            ("HTTP/1.1 101 " + String(repeating: "x", count: 20_000), .limitExceeded),
            (String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 9), .limitExceeded),
        ] as [(String, CloseCause)])
    func `unopened with what the response was`(
        _ said: String, _ cause: CloseCause
    ) async throws {  // W20
        try await onLoop { bench in
            let pair = try await WebSocketPair(connectingOn: bench.loop)
            pair.peer.say(said)
            let wait: Milliseconds? = said.contains("Retry-After: 7") ? 7_000 : nil
            #expect(try await pair.log.next() == .ended(cause, retryAfter: wait))
            try await pair.peer.events.wait(
                until: { pair.peer.events.hasEnded || !pair.peer.events.closings.isEmpty })
            #expect(await pair.log.unreadCount == 0)
        }
    }

    @Test(arguments: Cut.allCases)
    func `unopened when the connection is cut in the response`(_ cut: Cut) async throws {
        try await onLoop { bench in
            let pair = try await WebSocketPair(connectingOn: bench.loop)
            if cut == .halfFrame { pair.peer.say("HTTP/1.1 101 Swi") }
            if cut == .reset { pair.peer.stream.reset() } else { pair.peer.stream.close() }
            #expect(try await pair.log.next() == .ended(cut == .reset ? .reset : .peerVanished))
        }
    }

    @Test(
        arguments: [
            ("ws://127.0.0.1:1/", .connectFailed(.refused)),
            ("ws://no-such-host.invalid/", .connectFailed(.nameNotResolved)),
            ("wss://127.0.0.1:1/", .connectFailed(.refused)),
        ] as [(String, CloseCause)])
    func `unopened, in a later turn, when nothing can be reached`(
        _ text: String, _ cause: CloseCause
    ) async throws {  // P12
        try await onLoop { bench in
            let log = EventLog<WebSocketMessage>(on: bench.loop)
            let transport = TCPWebSocketTransport(on: bench.loop)
            let request = WebSocketRequest(url: try ConnectionURL(text))
            let channel = transport.open(request, sink: log.sink)
            #expect(log.unreadCountAtOnce == 0)
            #expect(try await log.next() == .ended(cause))
            channel.abort()
        }
    }

    enum Stage: CaseIterable { case connecting, responding, open, closing, ended }

    @Test(arguments: Stage.allCases)
    func `in silence when it is aborted`(_ stage: Stage) async throws {  // W7
        try await onLoop { bench in
            let loop = bench.loop
            let log = EventLog<WebSocketMessage>(on: loop)
            let server = try ScriptedPeer(on: loop)
            let channel = TCPWebSocketTransport(on: loop, chance: { 0 }).open(
                WebSocketRequest(url: try server.url("ws")), sink: log.sink)
            if stage != .connecting {
                let peer = try await server.accept()
                if stage != .responding {
                    peer.say(WebSocketPair.switching + "\r\n")
                    #expect(try await log.next() == .opened(subprotocol: nil))
                }
                if stage == .closing { channel.close(code: 1000, reason: "") }
                if stage == .ended {
                    peer.stream.reset()
                    #expect(try await log.next() == .ended(.reset))
                }
                peer.say(hex: "810161 8800")
            }
            channel.abort()
            channel.abort()
            channel.close(code: 1000, reason: "")
            channel.setReading(.flowing)
            let other = try await WebSocketPair(openOn: loop)
            #expect(await log.unreadCount == 0)
            other.channel.abort()
        }
    }
}
