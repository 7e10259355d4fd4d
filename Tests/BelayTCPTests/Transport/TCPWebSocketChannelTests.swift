import BelayCore
import BelayTCP
import BelayTransport
import BelayWire
import Testing

/// A channel and the scripted server at its other end. Chance is zero, so the key is known and
/// masked frames can be read.
struct WebSocketPair {
    let channel: any WebSocketChannel
    let log: EventLog<WebSocketMessage>
    let peer: RecordedStream

    static let accept = "ICX+Yqv66kxgM0FcWaLWlFLwTAI="
    static let switching =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: \(accept)\r\n"

    /// A connection whose response is still to be said.
    init(
        connectingOn loop: EventLoop, limits: WebSocketLimits = .default,
        subprotocols: [String] = []
    ) async throws {
        let server = try ScriptedPeer(on: loop)
        let transport = TCPWebSocketTransport(on: loop, limits: limits, chance: { 0 })
        log = EventLog(on: loop)
        let request = WebSocketRequest(
            url: try server.url("ws", "/ws?x=1"), subprotocols: subprotocols,
            fields: [try RequestField("Authorization", "secret")])
        channel = transport.open(request, sink: log.sink)
        peer = try await server.accept()
    }

    /// A connection that is paused from within each of its reports.
    static func lagging(
        on loop: EventLoop
    ) async throws -> (log: EventLog<WebSocketMessage>, peer: RecordedStream) {
        let log = EventLog<WebSocketMessage>(on: loop)
        let server = try ScriptedPeer(on: loop)
        let request = WebSocketRequest(url: try server.url("ws"))
        await log.lag { TCPWebSocketTransport(on: loop, chance: { 0 }).open(request, sink: $0) }
        return (log, try await server.accept())
    }

    /// An open connection.
    init(openOn loop: EventLoop, limits: WebSocketLimits = .default) async throws {
        try await self.init(connectingOn: loop, limits: limits)
        peer.say(Self.switching + "\r\n")
        #expect(try await log.next() == .opened(subprotocol: nil))
    }
}

@Suite(.tags(.realTime), .timeLimit(.minutes(5)))
struct `A WebSocket over TCP` {
    @Test func `opens with the handshake and the application's fields`() async throws {
        try await onLoop { bench in
            let pair = try await WebSocketPair(
                connectingOn: bench.loop, subprotocols: ["chat", "v2"])
            let lines = pair.peer.events.text.split(separator: "\r\n").map(String.init)
            #expect(lines[0] == "GET /ws?x=1 HTTP/1.1")
            #expect(lines.contains("Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="))
            #expect(lines.contains("Sec-WebSocket-Protocol: chat, v2"))
            #expect(lines.contains("Authorization: secret"))
            #expect(lines.contains { $0.hasPrefix("Host: 127.0.0.1:") })
            pair.peer.say(WebSocketPair.switching + "Sec-WebSocket-Protocol: v2\r\n\r\n")
            #expect(try await pair.log.next() == .opened(subprotocol: "v2"))
            pair.channel.abort()
        }
    }

    @Test func `says nothing but its request before the response`() async throws {
        try await onLoop { bench in
            let pair = try await WebSocketPair(connectingOn: bench.loop)
            pair.channel.send(.text("early"), number: 1)
            pair.channel.ping(1)
            // Another connection goes its whole way: a frame would have come by then.
            let other = try await WebSocketPair(openOn: bench.loop)
            other.channel.abort()
            #expect(pair.peer.frames == [])
            #expect(await pair.log.unreadCount == 0)
            pair.channel.abort()
        }
    }

    @Test func `delivers frames that came in the segment of the 101`() async throws {
        try await onLoop { bench in
            let pair = try await WebSocketPair(connectingOn: bench.loop)
            let head = Array((WebSocketPair.switching + "\r\n").utf8)
            pair.peer.stream.write(head + [UInt8](hex: "810568656c6c6f 82020001 8801"))
            #expect(try await pair.log.next() == .opened(subprotocol: nil))
            #expect(try await pair.log.next() == .received(.text("hello")))
            #expect(try await pair.log.next() == .received(.binary([0, 1])))
            pair.peer.say(hex: "00")
            #expect(try await pair.log.next() == .ended(.peerViolatedProtocol(code: 1002)))
        }
    }

    @Test func `passes over interim responses`() async throws {
        try await onLoop { bench in
            let pair = try await WebSocketPair(connectingOn: bench.loop)
            pair.peer.say("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
            pair.peer.say(WebSocketPair.switching + "\r\n")
            #expect(try await pair.log.next() == .opened(subprotocol: nil))
            pair.channel.abort()
        }
    }

    @Test func `sends masked messages and says when they were given to the system`() async throws {
        try await onLoop { bench in
            let pair = try await WebSocketPair(openOn: bench.loop)
            pair.channel.send(.text("hé"), number: 7)
            pair.channel.send(.binary([1, 2]), number: 8)
            #expect(await pair.log.unreadCount == 0)
            let expected = "8183 00000000 68c3a9 8282 00000000 0102"
            #expect(try await pair.peer.frames(asLongAs: expected) == [UInt8](hex: expected))
            #expect(try await pair.log.next() == .sent(7))
            #expect(try await pair.log.next() == .sent(8))
            pair.channel.abort()
        }
    }

    @Test func `says that a ping was handed over only when the bytes before it were`() async throws
    {
        try await onLoop { bench in
            let pair = try await WebSocketPair(openOn: bench.loop)
            pair.peer.stream.setReading(.paused)
            let bytes = [UInt8](repeating: 0, count: 24 * 1024 * 1024)
            pair.channel.send(.binary(bytes), number: 1)
            pair.channel.ping(1)
            // Another connection goes its whole way: the ping would have been reported by then.
            let other = try await WebSocketPair(openOn: bench.loop)
            #expect(await pair.log.unreadCount == 0)
            pair.peer.events.keepsBytes = false
            pair.peer.stream.setReading(.flowing)
            #expect(try await pair.log.next() == .sent(1))
            #expect(try await pair.log.next() == .pingHandedOver(1))
            pair.channel.abort()
            other.channel.abort()
        }
    }

    @Test func `matches a pong with its ping by the payload`() async throws {  // W17, W19
        try await onLoop { bench in
            let pair = try await WebSocketPair(openOn: bench.loop)
            pair.channel.ping(1)
            let expected = "8988 00000000 00000001 00000000"
            #expect(try await pair.peer.frames(asLongAs: expected) == [UInt8](hex: expected))
            #expect(try await pair.log.next() == .pingHandedOver(1))
            pair.peer.say(hex: "8a00 8a0801020304 01020304 8a08 00000001 00000000")
            #expect(try await pair.log.next() == .unsolicitedPong)
            #expect(try await pair.log.next() == .unsolicitedPong)
            #expect(try await pair.log.next() == .pong(1))
            pair.peer.say(hex: "8a08 00000001 00000000")
            #expect(try await pair.log.next() == .unsolicitedPong)
            pair.channel.abort()
        }
    }

    // While it comes no pong can: not to know that is how large messages kill connections.
    @Test func `says that a frame is half there, and nothing between two frames`() async throws {
        try await onLoop { bench in
            let pair = try await WebSocketPair(openOn: bench.loop)
            await pair.log.tellParts()
            pair.peer.say(hex: "8104 6162")
            #expect(try await pair.log.next() == .partlyReceived)
            pair.peer.say(hex: "63")
            #expect(try await pair.log.next() == .partlyReceived)
            pair.peer.say(hex: "64 010165")
            #expect(try await pair.log.next() == .received(.text("abcd")))
            pair.peer.say(hex: "8a00")
            #expect(try await pair.log.next() == .unsolicitedPong)
            pair.channel.close(code: 1_000, reason: "")
            pair.peer.say(hex: "8001")
            pair.peer.say(hex: "66 880203e8")
            #expect(try await pair.log.next() == .received(.text("ef")))
            pair.peer.stream.close()
            #expect(try await pair.log.next() == .ended(.closedLocally))
        }
    }

    @Test func `answers a ping with its payload, also between fragments`() async throws {
        try await onLoop { bench in
            let pair = try await WebSocketPair(openOn: bench.loop)
            pair.peer.say(hex: "010161 8902abcd 800162")
            let expected = "8a82 00000000 abcd"
            #expect(try await pair.peer.frames(asLongAs: expected) == [UInt8](hex: expected))
            #expect(try await pair.log.next() == .received(.text("ab")))
            pair.channel.abort()
        }
    }

    @Test func `owes one pong, the newest, to a peer that does not read`() async throws {
        try await onLoop { bench in
            let pair = try await WebSocketPair(openOn: bench.loop)
            pair.peer.stream.setReading(.paused)
            pair.peer.events.keepsBytes = false
            pair.channel.send(.binary([UInt8](repeating: 0, count: 24 << 20)), number: 1)
            pair.peer.say(hex: "890101 890102 890103 810161")
            #expect(try await pair.log.next() == .received(.text("a")))
            var last: [UInt8] = []
            pair.peer.events.onReceive = { _, bytes in last = Array((last + bytes).suffix(14)) }
            pair.peer.stream.setReading(.flowing)
            #expect(try await pair.log.next() == .sent(1))
            let pong = [UInt8](hex: "8a81 00000000 03")
            try await pair.peer.events.wait(until: { last.suffix(7) == pong[...] })
            #expect(last.prefix(7) == [UInt8](repeating: 0, count: 7)[...])
            pair.channel.abort()
        }
    }

    @Test func `takes nothing off the connection while it is paused`() async throws {
        try await onLoop { bench in
            let pair = try await WebSocketPair(openOn: bench.loop)
            pair.channel.setReading(.paused)
            pair.peer.say(hex: "810161")
            let other = try await WebSocketPair(openOn: bench.loop)
            #expect(await pair.log.unreadCount == 0)
            pair.channel.setReading(.flowing)
            #expect(try await pair.log.next() == .received(.text("a")))
            pair.channel.abort()
            other.channel.abort()
        }
    }

    @Test func `holds what it has read back where a report is answered by a pause`() async throws {
        try await onLoop { bench in
            let (log, peer) = try await WebSocketPair.lagging(on: bench.loop)
            let head = Array((WebSocketPair.switching + "\r\n").utf8)
            peer.stream.write(head + [UInt8](hex: "810161 8900 8a00 810162 8300"))
            #expect(try await log.next() == .opened(subprotocol: nil))
            for expected in [
                .received(.text("a")), .unsolicitedPong, .received(.text("b")),
                .ended(.peerViolatedProtocol(code: 1002)),
            ] as [EventLog<WebSocketMessage>.Seen] {
                // Another connection goes its whole way: a report would have come by then.
                let other = try await WebSocketPair(openOn: bench.loop)
                other.channel.abort()
                #expect(await log.unreadCount == 0)
                #expect(await log.flow() == 0)
                #expect(try await log.next() == expected)
            }
            let answers = "8a80 00000000 8882 00000000 03ea"
            #expect(try await peer.frames(asLongAs: answers) == [UInt8](hex: answers))
        }
    }

    @Test func `reads on by itself when it closes, from what it held back`() async throws {
        try await onLoop { bench in
            let (log, peer) = try await WebSocketPair.lagging(on: bench.loop)
            let head = Array((WebSocketPair.switching + "\r\n").utf8)
            peer.stream.write(head + [UInt8](hex: "810161 880203e8"))
            #expect(try await log.next() == .opened(subprotocol: nil))
            await log.close()
            #expect(try await log.next() == .received(.text("a")))
            peer.stream.close()
            #expect(try await log.next() == .ended(.closedLocally))
        }
    }

    @Test func `is silent after it was aborted behind a pause`() async throws {
        try await onLoop { bench in
            let (log, peer) = try await WebSocketPair.lagging(on: bench.loop)
            let head = Array((WebSocketPair.switching + "\r\n").utf8)
            peer.stream.write(head + [UInt8](hex: "810161 880203e8"))
            #expect(try await log.next() == .opened(subprotocol: nil))
            #expect(await log.flow() == 0)
            await log.abort()
            let other = try await WebSocketPair(openOn: bench.loop)
            other.channel.abort()
            #expect(await log.unreadCount == 0)
        }
    }
}
