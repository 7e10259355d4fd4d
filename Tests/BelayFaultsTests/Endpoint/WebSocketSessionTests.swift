import BelayFaults
import BelayWire
import Testing

@Suite(.tags(.realTime), .timeLimit(.minutes(5)))
struct `The WebSocket of an endpoint` {
    // W20
    @Test func `opens by the handshake of RFC 6455`() async throws {
        try await withEndpoint { _, port in
            let client = try RawClient(port)
            let head = client.openWebSocket()
            #expect(head.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
            #expect(head.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
        }
    }

    // W20, W21
    @Test func `echoes text, binary and fragments, and answers pings between them`() async throws {
        try await withEndpoint { _, port in
            let client = try RawClient(port)
            client.openWebSocket()
            client.sendFrame(.text, "hello")
            #expect(try client.receiveFrame() == Frame(.text, Array("hello".utf8)))
            client.sendFrame(.binary, [0, 255])
            #expect(try client.receiveFrame() == Frame(.binary, [0, 255]))
            client.sendFrame(.text, Array("a".utf8), isFinal: false)
            client.sendFrame(.ping, "1")
            client.sendFrame(.continuation, Array("b".utf8))
            #expect(try client.receiveFrame() == Frame(.pong, Array("1".utf8)))
            #expect(try client.receiveFrame() == Frame(.text, Array("ab".utf8)))
        }
    }

    @Test(arguments: [0, 125, 126, 65_535, 65_536, 300_000])
    func `echoes a message of every length form`(_ count: Int) async throws {
        try await withEndpoint { _, port in
            let client = try RawClient(port)
            client.openWebSocket()
            let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            client.sendFrame(.binary, payload)
            var expected: [UInt8] = []
            FrameEncoder.append(Frame(.binary, payload), maskedWith: nil, to: &expected)
            #expect(client.receive(atLeast: expected.count) == expected)
        }
    }

    @Test func `takes a frame in the segment of the request`() async throws {
        try await withEndpoint { _, port in
            let client = try RawClient(port)
            client.send(
                "GET /ws HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
                    + "\r\n\r\n\u{01}")
            _ = client.receiveHead()
            client.send([0x80, 1, 2, 3, 4] + [0x80, 0x80, 1, 2, 3, 4])
            #expect(try client.receiveFrame() == Frame(.text))
        }
    }

    @Test func `answers Close with its code, then ends`() async throws {
        try await withEndpoint { endpoint, port in
            let client = try RawClient(port)
            client.openWebSocket()
            client.sendFrame(.close, [0x0F, 0xA1] + Array("bye".utf8))
            let (bytes, end) = client.receiveAll()
            #expect(bytes == [0x88, 2, 0x0F, 0xA1])
            #expect(end == .fin)
            client.close()
            #expect(await endpoint.waitUntil { $0.last?.event == .ended })
            let events = await endpoint.record.entries.map(\.event)
            #expect(
                events.suffix(4) == [
                    .closeReceived(code: 4_001), .closeSent(code: 4_001), .finSent, .ended,
                ])
        }
    }

    @Test(
        arguments: [
            (bytes: [0x81, 0x01, 0x61], code: 1_002),
            (bytes: [0x83, 0x80, 1, 2, 3, 4], code: 1_002),
            (bytes: [0x81, 0x82, 0, 0, 0, 0, 0xC0, 0x80], code: 1_007),
            // RSV1, where nothing was agreed on.
            (bytes: [0xC1, 0x80, 0, 0, 0, 0], code: 1_002),
            // Bit 63 of a length, a length in too many bytes, and one over the limit.
            (bytes: [0x82, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0], code: 1_002),
            (bytes: [0x82, 0xFE, 0x00, 0x7D], code: 1_002),
            (bytes: [0x82, 0xFF, 0x7F, 0, 0, 0, 0, 0, 0, 0], code: 1_009),
            // A Close of one byte, and with a code that may not be sent.
            (bytes: [0x88, 0x81, 0, 0, 0, 0, 0x03], code: 1_002),
            (bytes: [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xED], code: 1_002),
            // A Close whose reason is not UTF-8.
            (bytes: [0x88, 0x83, 0, 0, 0, 0, 0x03, 0xE8, 0xFF], code: 1_007),
        ] as [(bytes: [UInt8], code: UInt16)])
    func `fails a connection that breaks the protocol`(_ bytes: [UInt8], _ code: UInt16)
        async throws
    {
        try await withEndpoint { endpoint, port in
            let client = try RawClient(port)
            client.openWebSocket()
            client.send(bytes)
            let (answer, end) = client.receiveAll()
            #expect(answer == [0x88, 2, UInt8(code >> 8), UInt8(code & 0xFF)])
            #expect(end == .fin)
            #expect(await endpoint.record.entries.map(\.event).contains(.violation(code: code)))
        }
    }

    // E12 of the public bug reports
    @Test(arguments: [[0x00, 0x81, 0, 0, 0, 0, 0x61], [0x00, 0x80, 0, 0, 0, 0]] as [[UInt8]])
    func `fails a message of tiny fragments at the default limit`(
        _ fragment: [UInt8]
    ) async throws {
        try await withEndpoint { _, port in
            let client = try RawClient(port)
            client.openWebSocket()
            client.sendFrame(.binary, [0x61], isFinal: false)
            var fragments = fragment
            for _ in 0..<18 { fragments += fragments }  // Twice as many as are taken.
            client.send(fragments)
            #expect(client.receiveAll().bytes == [0x88, 2, 0x03, 0xF0])
        }
    }

    // F8 of the public bug reports
    @Test(arguments: [nil, 4_001] as [UInt16?])
    func `ignores what comes behind a Close`(_ code: UInt16?) async throws {
        try await withEndpoint { endpoint, port in
            let client = try RawClient(port)
            client.openWebSocket()
            let payload = code.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } ?? []
            let key: [UInt8] = [0, 0, 0, 0]
            client.send(
                [0x88, 0x80 | UInt8(payload.count)] + key + payload
                    + [0x81, 0x81] + key + [0x61]  // A message.
                    + [0x89, 0x80] + key  // A ping.
                    + [0x88, 0x80] + key  // Another Close.
                    + [0xFF, 0xFF])  // A violation.
            let (bytes, end) = client.receiveAll()
            #expect(bytes == [0x88, UInt8(payload.count)] + payload)
            #expect(end == .fin)
            let events = await endpoint.record.entries.map(\.event)
            #expect(events.contains(.closeReceived(code: code)))
            #expect(!events.contains(.messageReceived(byteCount: 1)))
            #expect(!events.contains(.pingReceived(1)))
            #expect(!events.contains(.violation(code: 1_002)))
        }
    }

    @Test func `answers all that comes in one segment, in its order, up to a violation`()
        async throws
    {
        try await withEndpoint { endpoint, port in
            let client = try RawClient(port)
            client.openWebSocket()
            let key: [UInt8] = [0, 0, 0, 0]
            client.send(
                [0x81, 0x81] + key + [0x61]  // Whole.
                    + [0x89, 0x81] + key + [0x70]  // A ping.
                    + [0x02, 0x81] + key + [0x62] + [0x80, 0x81] + key + [0x63]  // In two.
                    + [0x82, 0x81] + key + [0x64]  // Whole again.
                    + [0x81, 0x81] + key + [0xFF])  // Not UTF-8.
            let (answer, end) = client.receiveAll()
            #expect(
                answer == [
                    0x81, 1, 0x61, 0x8A, 1, 0x70, 0x82, 2, 0x62, 0x63, 0x82, 1, 0x64,
                    0x88, 2, 0x03, 0xEF,
                ])
            #expect(end == .fin)
            let received = await endpoint.record.entries.count {
                if case .messageReceived = $0.event { true } else { false }
            }
            #expect(received == 3)
        }
    }

    // W20
    @Test func `answers late without holding up what follows`() async throws {
        try await withEndpoint { endpoint, port in
            let client = try RawClient(port)
            client.openWebSocket("/ws?pong=late:60")
            client.sendFrame(.ping, "1")
            client.sendFrame(.text, "after")
            #expect(try client.receiveFrame() == Frame(.text, Array("after".utf8)))
            #expect(try client.receiveFrame() == Frame(.pong, Array("1".utf8)))
            let entries = await endpoint.record.entries
            let ping = try #require(entries.first { $0.event == .pingReceived(1) })
            let pong = try #require(entries.first { $0.event == .pongSent(1) })
            #expect(pong.at - ping.at >= 60)
        }
    }

    @Test func `pings where its plan says so, and records each pong`() async throws {
        let ping = FaultRule(at: .message(.every), .webSocket(.ping))
        try await withEndpoint([ping]) { endpoint, port in
            let client = try RawClient(port)
            client.openWebSocket()
            for number in 1...2 {
                client.sendFrame(.text, "a")
                #expect(try client.receiveFrame() == Frame(.text, Array("a".utf8)))
                #expect(try client.receiveFrame() == Frame(.ping))
                client.sendFrame(.pong, "")
                await endpoint.waitUntil { $0.contains { $0.event == .pongReceived(number) } }
            }
        }
    }

    struct Query: CustomTestStringConvertible {
        let query: String
        let bytes: [UInt8]
        let end: RawClient.End
        var testDescription: String { query }
    }

    /// A ping "1", an echo and a Close, with what comes back after the head.
    // W20
    @Test(arguments: [
        Query(query: "", bytes: [0x8A, 1, 0x31, 0x81, 1, 0x61, 0x88, 0], end: .fin),
        Query(query: "?pong=none", bytes: [0x81, 1, 0x61, 0x88, 0], end: .fin),
        Query(
            query: "?pong=duplicate",
            bytes: [0x8A, 1, 0x31, 0x8A, 1, 0x31, 0x81, 1, 0x61, 0x88, 0], end: .fin),
        Query(query: "?pong=wrong", bytes: [0x8A, 1, 0xCE, 0x81, 1, 0x61, 0x88, 0], end: .fin),
        Query(query: "?close=4000", bytes: [0x88, 2, 0x0F, 0xA0], end: .fin),
        Query(query: "?drop=open", bytes: [], end: .fin),
        Query(query: "?drop=ping", bytes: [], end: .fin),
        Query(query: "?silent=1", bytes: [], end: .silence),
        Query(
            query: "?count=2",
            bytes: [0x81, 1, 0x31, 0x81, 1, 0x32, 0x8A, 1, 0x31, 0x81, 1, 0x61, 0x88, 0],
            end: .fin),
        Query(
            query: "?count=1&interval=5",
            bytes: [0x81, 1, 0x31, 0x8A, 1, 0x31, 0x81, 1, 0x61, 0x88, 0], end: .fin),
    ])
    func `does what its query asks for`(_ query: Query) async throws {
        try await withEndpoint { _, port in
            let client = try RawClient(port)
            #expect(client.openWebSocket("/ws\(query.query)").hasPrefix("HTTP/1.1 101"))
            client.sendFrame(.ping, "1")
            client.sendFrame(.text, "a")
            client.sendFrame(.close)
            let silence = query.end == .silence ? 200 : 10_000
            let (bytes, end) = client.receiveAll(silenceAfter: silence)
            #expect(bytes == query.bytes)
            #expect(end == query.end)
        }
    }

    // W20
    @Test func `refuses to be established`() async throws {
        try await withEndpoint { endpoint, port in
            let client = try RawClient(port)
            let head = client.openWebSocket("/ws?refuse=503")
            #expect(head.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
            #expect(client.receiveAll().end == .fin)
            let events = await endpoint.record.entries.map(\.event)
            #expect(events.contains(.response(status: 503)))
            #expect(!events.contains(.response(status: 101)))
        }
    }

    @Test func `is refused where no WebSocket was asked for`() async throws {
        try await withEndpoint { _, port in
            let client = try RawClient(port)
            client.get("/ws")
            let (head, _, end) = client.response()
            #expect(head.hasPrefix("HTTP/1.1 426 "))
            #expect(head.contains("Sec-WebSocket-Version: 13\r\n"))
            #expect(end == .fin)
        }
    }

    @Test func `stops reading a client that does not read`() async throws {
        try await withEndpoint { _, port in
            let (client, other) = (try RawClient(port), try RawClient(port))
            client.openWebSocket()
            other.openWebSocket()
            // More than the systems and the endpoint buffer, and less than an endpoint that reads
            // on could keep.
            let count = 400
            var frame: [UInt8] = []
            let payload = [UInt8](repeating: 7, count: 60_000)
            FrameEncoder.append(
                Frame(.binary, payload), maskedWith: MaskingKey(1, 2, 3, 4), to: &frame)
            var rest: ArraySlice<UInt8> = []
            for _ in 0..<count { rest += frame }
            while case let taken = client.sendNow(rest), taken > 0 {
                rest.removeFirst(taken)
                // Each echo is some turns of the endpoint: it takes what it is going to take.
                for _ in 0..<50 {
                    other.sendFrame(.text, "x")
                    #expect(try other.receiveFrame() != nil)
                }
            }
            #expect(!rest.isEmpty)
            let expected = count * (payload.count + 4)
            var echoed = 0
            while echoed < expected, case .success(let bytes) = client.receive(10_000),
                !bytes.isEmpty
            {
                echoed += bytes.count
                rest.removeFirst(client.sendNow(rest))
            }
            #expect(echoed == expected)
        }
    }
}
