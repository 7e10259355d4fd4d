import BelayCore
import BelayTCP
import BelayTransport
import BelayWire
import Testing

extension WebSocketPair {
    /// An open connection whose server answered this to the offer of compression.
    init(
        openOn loop: EventLoop, extensions: String, limits: WebSocketLimits = .default
    ) async throws {
        try await self.init(connectingOn: loop, limits: limits)
        peer.say(Self.switching + "Sec-WebSocket-Extensions: \(extensions)\r\n\r\n")
        #expect(try await log.next() == .opened(subprotocol: nil))
    }
}

@Suite(.tags(.realTime), .timeLimit(.minutes(5)))
struct `A compressed WebSocket over TCP` {
    static let plain = "permessage-deflate"

    /// What the server has at the other end of `plain`.
    static func server() -> MessageCompression {
        let policy = PermessageDeflate.Policy(own: .init(), shortestMessage: 1)
        return MessageCompression(PermessageDeflate(), role: .server, policy: policy)
    }

    @Test func `is offered by default`() async throws {
        try await onLoop { bench in
            let pair = try await WebSocketPair(connectingOn: bench.loop)
            #expect(
                pair.peer.events.text.contains(
                    "\r\nSec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"))
            pair.channel.abort()
        }
    }

    @Test func `is not offered where the policy is none`() async throws {
        try await onLoop { bench in
            let server = try ScriptedPeer(on: bench.loop)
            let log = EventLog<WebSocketMessage>(on: bench.loop)
            let channel = TCPWebSocketTransport(on: bench.loop, compression: nil, chance: { 0 })
                .open(WebSocketRequest(url: try server.url("ws")), sink: log.sink)
            let peer = try await server.accept()
            #expect(!peer.events.text.contains("Sec-WebSocket-Extensions"))
            peer.say(WebSocketPair.switching + "Sec-WebSocket-Extensions: \(Self.plain)\r\n\r\n")
            #expect(try await log.next() == .ended(.peerViolatedProtocol(code: 1002)))
            channel.abort()
        }
    }

    @Test func `inflates messages, fragments and what refers back to them`() async throws {
        try await onLoop { bench in
            let pair = try await WebSocketPair(openOn: bench.loop, extensions: Self.plain)
            pair.peer.say(hex: "c107 f248cdc9c90700 c105 f200110000 810161")
            pair.peer.say(hex: "4203 f24805 8900 800a 000000ffffcac9c90700")
            #expect(try await pair.log.next() == .received(.text("Hello")))
            #expect(try await pair.log.next() == .received(.text("Hello")))
            #expect(try await pair.log.next() == .received(.text("a")))
            #expect(try await pair.log.next() == .received(.binary(Array("Hello".utf8))))
            pair.channel.abort()
        }
    }

    // E8 of the public bug reports.
    @Test func `compresses messages only, and only long ones`() async throws {
        try await onLoop { bench in
            let pair = try await WebSocketPair(openOn: bench.loop, extensions: Self.plain)
            let text = String(repeating: "so it goes ", count: 20)
            pair.channel.send(.text("short"), number: 1)
            pair.channel.ping(1)
            pair.channel.send(.text(text), number: 2)
            pair.channel.send(.text(text), number: 3)
            pair.channel.close(code: 1000, reason: String(repeating: "x", count: 100))
            let reason = [UInt8](repeating: 0x78, count: 100)
            try await pair.peer.events.wait(until: { pair.peer.frames.suffix(100) == reason[...] })
            var decoder = FrameDecoder(role: .server, compression: .negotiated)
            var frames: [Frame] = []
            try decoder.append(pair.peer.frames, into: &frames)
            #expect(frames.map(\.opcode) == [.text, .ping, .text, .text, .close])
            #expect(frames.map(\.isCompressed) == [false, false, true, true, false])
            let server = Self.server()
            for frame in frames where frame.isCompressed {
                let message = AssembledMessage(
                    kind: .text, payload: frame.payload, isCompressed: true)
                #expect(try server.inflate(message, limit: 1_000).text == text)
            }
            // The second refers back to the first.
            #expect(frames[3].payload.count < 10)
            pair.channel.abort()
        }
    }

    @Test(arguments: [
        "x-other", "permessage-deflate; server_max_window_bits=7",
        "permessage-deflate; client_max_window_bits", "permessage-deflate; x=1",
        "permessage-deflate, permessage-deflate",
        "permessage-deflate\r\nSec-WebSocket-Extensions: permessage-deflate",
    ])
    func `does not open with an answer at fault`(_ extensions: String) async throws {
        try await onLoop { bench in
            let pair = try await WebSocketPair(connectingOn: bench.loop)
            pair.peer.say(
                WebSocketPair.switching + "Sec-WebSocket-Extensions: \(extensions)\r\n\r\n")
            #expect(try await pair.log.next() == .ended(.peerViolatedProtocol(code: 1002)))
            #expect(await pair.log.unreadCount == 0)
        }
    }

    @Test(
        arguments: [
            ("c900", 1002), ("c880", 1002), ("4100 c000", 1002), ("e100", 1002),
            ("c101 ff", 1007), ("c103 f248cd", 1007), ("c104 faff0f00", 1007),
        ] as [(String, UInt16)])
    func `ends with the code for what the peer did wrong`(
        _ said: String, _ code: UInt16
    ) async throws {
        try await onLoop { bench in
            let pair = try await WebSocketPair(openOn: bench.loop, extensions: Self.plain)
            // What is behind the fault is not looked at.
            pair.peer.say(hex: "c107 f248cdc9c90700" + said + "c105 f200110000 810161")
            #expect(try await pair.log.next() == .received(.text("Hello")))
            #expect(try await pair.log.next() == .ended(.peerViolatedProtocol(code: code)))
            let answer = [UInt8](hex: "8882 00000000") + [UInt8(code >> 8), UInt8(code & 255)]
            try await pair.peer.events.wait(until: { pair.peer.events.hasEnded })
            #expect(pair.peer.frames == answer)
            #expect(await pair.log.unreadCount == 0)
            pair.peer.stream.close()
        }
    }

    // E13 of the public bug reports.
    @Test func `ends at the limit in the midst of a decompression bomb`() async throws {
        try await onLoop { bench in
            let limits = WebSocketLimits(messageBytes: 1 << 20)
            let pair = try await WebSocketPair(
                openOn: bench.loop, extensions: Self.plain, limits: limits)
            let zeros = [UInt8](repeating: 0, count: 64 << 20)
            let bomb = try #require(zeros.withUnsafeBytes { Self.server().deflate($0) })
            var bytes: [UInt8] = []
            let frame = Frame(.binary, bomb, isCompressed: true)
            FrameEncoder.append(frame, maskedWith: nil, to: &bytes)
            pair.peer.stream.write(bytes)
            #expect(try await pair.log.next() == .ended(.limitExceeded))
            let answer = "8882 00000000 03f1"
            #expect(try await pair.peer.frames(asLongAs: answer) == [UInt8](hex: answer))
            pair.peer.stream.close()
        }
    }
}
