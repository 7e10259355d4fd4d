import BelayFaults
import BelayTCP
import BelayWire
import Testing

extension RawClient {
    /// The opening handshake with an offer of compression; answers the head of the response.
    fileprivate func openWebSocket(offering extensions: String) -> String {
        get(
            "/ws", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Extensions: \(extensions)")
        return receiveHead()
    }

    /// A masked frame that says that its payload is compressed.
    fileprivate func sendCompressed(_ payload: [UInt8]) {
        var bytes: [UInt8] = []
        let frame = Frame(.binary, payload, isCompressed: true)
        FrameEncoder.append(frame, maskedWith: MaskingKey(1, 2, 3, 4), to: &bytes)
        send(bytes)
    }
}

@Suite(.tags(.realTime), .timeLimit(.minutes(5)))
struct `The compressed WebSocket of an endpoint` {
    /// What a client has that agreed on the longest windows.
    private static func client() -> MessageCompression {
        let policy = PermessageDeflate.Policy(own: .init(), shortestMessage: 1)
        return MessageCompression(PermessageDeflate(), role: .client, policy: policy)
    }

    private static let offer = "permessage-deflate; client_max_window_bits"

    @Test(
        arguments: [
            (
                "permessage-deflate; client_max_window_bits",
                "permessage-deflate; server_no_context_takeover; client_max_window_bits=12"
            ),
            (
                "permessage-deflate; server_max_window_bits=7, permessage-deflate",
                "permessage-deflate; server_no_context_takeover"
            ),
            ("permessage-deflate; server_max_window_bits=16", nil), ("x-other", nil),
        ] as [(String, String?)])
    func `answers what the client offered`(_ offer: String, _ answer: String?) async throws {
        try await withEndpoint { _, port in
            let head = try RawClient(port).openWebSocket(offering: offer)
            #expect(head.hasPrefix("HTTP/1.1 101 "))
            let field = answer.map { "\r\nSec-WebSocket-Extensions: \($0)\r\n" }
            #expect(head.contains(field ?? "Sec-WebSocket-Extensions") == (answer != nil))
        }
    }

    @Test func `agrees to nothing where the limits say so`() async throws {
        try await withEndpoint(limits: EndpointLimits(compression: nil)) { _, port in
            let client = try RawClient(port)
            #expect(!client.openWebSocket(offering: Self.offer).contains("Extensions"))
            client.sendCompressed([0])
            #expect(try client.receiveFrame() == Frame(.close, [0x03, 0xEA]))
        }
    }

    @Test func `echoes what was compressed, in each direction by its own context`() async throws {
        try await withEndpoint { endpoint, port in
            let client = try RawClient(port)
            _ = client.openWebSocket(offering: Self.offer)
            let text = [UInt8](repeating: 0x61, count: 3_000)
            let compression = Self.client()
            for _ in 1...2 {
                let payload = try #require(text.withUnsafeBytes { compression.deflate($0) })
                client.sendCompressed(payload)
                let start = client.receive(atLeast: 2)
                #expect(start[0] == 0xC2)
                let echo = start[2...] + client.receive(atLeast: 2 + Int(start[1]) - start.count)
                // Each by an inflater of its own: no echo refers back to another.
                let message = AssembledMessage(
                    kind: .binary, payload: Array(echo), isCompressed: true)
                #expect(try Self.client().inflate(message, limit: 3_000).payload == text)
            }
            client.sendFrame(.text, "short")
            #expect(try client.receiveFrame() == Frame(.text, Array("short".utf8)))
            let events = await endpoint.record.entries.map(\.event)
            #expect(events.filter { $0 == .messageReceived(byteCount: 3_000) }.count == 2)
        }
    }

    // E13 of the public bug reports.
    @Test(
        arguments: [
            ([0xFF], 1_007), ([0xF2, 0x48], 1_007), (nil, 1_009),
        ] as [([UInt8]?, UInt16)])
    func `fails over what is malformed, or a bomb`(
        _ payload: [UInt8]?, _ code: UInt16
    ) async throws {
        let limits = EndpointLimits(webSocket: WebSocketLimits(messageBytes: 1 << 20))
        try await withEndpoint(limits: limits) { endpoint, port in
            let client = try RawClient(port)
            _ = client.openWebSocket(offering: Self.offer)
            let zeros = [UInt8](repeating: 0, count: 16 << 20)
            let bomb = try #require(zeros.withUnsafeBytes { Self.client().deflate($0) })
            client.sendCompressed(payload ?? bomb)
            client.sendFrame(.text, "behind it")
            let (bytes, end) = client.receiveAll()
            #expect(bytes == [0x88, 2, UInt8(code >> 8), UInt8(code & 0xFF)])
            #expect(end == .fin)
            #expect(await endpoint.waitUntil { $0.contains { $0.event == .violation(code: code) } })
        }
    }
}
