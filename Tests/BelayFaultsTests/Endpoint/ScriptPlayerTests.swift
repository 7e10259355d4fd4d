import BelayFaults
import BelayWire
import Synchronization
import Testing

/// What plans do to real sockets.
@Suite(.tags(.realTime), .timeLimit(.minutes(5)))
struct `A plan on the wire` {
    struct Stream: CustomTestStringConvertible {
        let at: MomentPattern
        let fault: Fault
        let body: String
        var end = RawClient.End.fin
        var testDescription: String { "\(fault) at \(at.kind)" }
    }

    private static let all = `The event stream of an endpoint`.all

    // E9
    @Test(arguments: [
        Stream(at: .accepted, fault: .tcp(.stall), body: "", end: .silence),
        Stream(at: .accepted, fault: .tcp(.fin), body: ""),
        Stream(at: .accepted, fault: .tcp(.reset), body: "", end: .reset),
        Stream(at: .request, fault: .tcp(.halfClose), body: ""),
        Stream(at: .request, fault: .tcp(.reset), body: "", end: .reset),
        Stream(at: .request, fault: .eventStream(.replayAfter(id: 0)), body: all),
        Stream(at: .responseSent, fault: .tcp(.reset), body: "", end: .reset),
        Stream(
            at: .responseSent, fault: .eventStream(.resetID),
            body: "id:\n\n" + all.suffix(44)),
        Stream(
            at: .beforeEvent(2), fault: .tcp(.silence), body: "id: 2\ndata: building\n\n"),
        Stream(at: .beforeEvent(1), fault: .tcp(.fin), body: ""),
        Stream(at: .afterID(1), fault: .tcp(.reset), body: "id: 2\n", end: .reset),
        Stream(at: .insideData(1), fault: .tcp(.stall), body: "id: 2\ndata: buil", end: .silence),
        Stream(at: .beforeBlankLine(1), fault: .tcp(.fin), body: "id: 2\ndata: building\n"),
        Stream(
            at: .afterEvent(1), fault: .eventStream(.comment("c")),
            body: "id: 2\ndata: building\n\n: c\n\nid: 3\ndata: finished\n\n"),
        Stream(
            at: .beforeEvent(1), fault: .eventStream(.duplicateEvent),
            body: "id: 2\ndata: building\n\n" + all.suffix(44)),
        Stream(
            at: .beforeEvent(1), fault: .tcp(.wait(milliseconds: 10)),
            body: String(all.suffix(44))),
        Stream(at: .end, fault: .tcp(.stall), body: String(all.suffix(44)), end: .silence),
        Stream(at: .end, fault: .tcp(.reset), body: String(all.suffix(44)), end: .reset),
        Stream(
            at: .responseSent, fault: .tcp(.latency(milliseconds: 5, jitter: 5)),
            body: String(all.suffix(44))),
        Stream(
            at: .accepted, fault: .tcp(.slice(bytes: 20)), body: String(all.suffix(44))),
        Stream(at: .elapsed(milliseconds: 0), fault: .tcp(.reset), body: "", end: .reset),
    ])
    func `shows an event stream as it was planned`(_ stream: Stream) async throws {
        try await withEndpoint([FaultRule(at: stream.at, stream.fault)]) { endpoint, port in
            let client = try RawClient(port)
            if stream.at.kind == .elapsed {
                await endpoint.waitUntil { $0.last?.event == .ended }
            }
            client.get("/events", "Last-Event-ID: 1")
            if stream.fault == .tcp(.halfClose) { client.shutdownWriting() }
            let silence = stream.end == .silence ? 200 : 10_000
            let (_, body, end) = client.response(silenceAfter: silence)
            #expect(body == stream.body)
            #expect(end == stream.end)
            let struck = await endpoint.record.entries.contains { entry in
                if case .faultStruck(let moment) = entry.event {
                    stream.at.matches(moment)
                } else {
                    false
                }
            }
            #expect(struck)
        }
    }

    @Test func `goes on with comments and without events`() async throws {
        let rule = FaultRule(at: .responseSent, .eventStream(.commentsOnly(milliseconds: 2)))
        try await withEndpoint([rule]) { endpoint, port in
            let client = try RawClient(port)
            client.get("/events")
            _ = client.receiveHead()
            let expected = ": belay\n\n: belay\n\n: belay\n\n"
            #expect(client.receive(atLeast: 27).starts(with: expected.utf8))
            client.reset()
            #expect(await endpoint.waitUntil { $0.last?.event == .ended })
        }
    }

    @Test func `sends an event behind one that follows it`() async throws {
        let rule = FaultRule(at: .beforeEvent(1), .eventStream(.lateEvent(milliseconds: 30)))
        try await withEndpoint([rule]) { _, port in
            let client = try RawClient(port)
            client.get("/events?interval=20")
            #expect(
                client.response().body
                    == "id: 2\ndata: building\n\nid: 1\ndata: queued\n\nid: 3\ndata: finished\n\n")
        }
    }

    // E6, W20: another fault for each connection, which the article's four outcomes need.
    @Test func `tells connections apart by their number`() async throws {
        let rules = [
            FaultRule(on: 1, at: .insideData(2), .tcp(.fin)),
            FaultRule(on: 2, at: .response, .http(.status(503, retryAfter: 1))),
            FaultRule(on: .from(4), at: .responseSent, .tcp(.reset)),
        ]
        try await withEndpoint(rules) { _, port in
            let answers = try (1...4).map { _ in
                let client = try RawClient(port)
                client.get("/events")
                return client.response()
            }
            #expect(
                answers.map(\.body) == [
                    "id: 1\ndata: queued\n\nid: 2\ndata: buil", "", Self.all, "",
                ])
            #expect(
                answers.map { $0.head.split(separator: " ")[1] } == ["200", "503", "200", "200"])
            #expect(answers.map(\.end) == [.fin, .fin, .fin, .reset])
        }
    }

    struct Socket: CustomTestStringConvertible {
        let at: MomentPattern
        let fault: Fault
        let bytes: [UInt8]
        var end = RawClient.End.fin
        var testDescription: String { "\(fault) at \(at.kind)" }
    }

    /// Ping "1", message "a", Close 1000; what comes behind the 101.
    // W20
    @Test(arguments: [
        Socket(
            at: .handshake, fault: .webSocket(.message("m")),
            bytes: [0x81, 1, 0x6D, 0x8A, 1, 0x31, 0x81, 1, 0x61, 0x88, 2, 3, 0xE8]),
        Socket(
            at: .opened, fault: .pong(.unsolicited()),
            bytes: [0x8A, 0, 0x8A, 1, 0x31, 0x81, 1, 0x61, 0x88, 2, 3, 0xE8]),
        Socket(at: .opened, fault: .tcp(.reset), bytes: [], end: .reset),
        Socket(at: .ping(1), fault: .tcp(.fin), bytes: []),
        Socket(at: .ping(1), fault: .tcp(.half()), bytes: [0x8A]),
        Socket(
            at: .message(1), fault: .webSocket(.closeFrame(code: 1_012)),
            bytes: [0x8A, 1, 0x31, 0x88, 2, 3, 0xF4]),
        Socket(
            at: .message(1), fault: .webSocket(.badUTF8),
            bytes: [0x8A, 1, 0x31, 0x81, 2, 0xC0, 0x80, 0x88, 2, 3, 0xE8]),
        Socket(
            at: .close, fault: .tcp(.silence), bytes: [0x8A, 1, 0x31, 0x81, 1, 0x61],
            end: .silence),
        Socket(at: .close, fault: .tcp(.fin), bytes: [0x8A, 1, 0x31, 0x81, 1, 0x61]),
        Socket(
            at: .close, fault: .webSocket(.closeFrame(code: 1_005)),
            bytes: [0x8A, 1, 0x31, 0x81, 1, 0x61, 0x88, 2, 3, 0xED]),
    ])
    func `shows a WebSocket as it was planned`(_ socket: Socket) async throws {
        try await withEndpoint([FaultRule(at: socket.at, socket.fault)]) { _, port in
            let client = try RawClient(port)
            #expect(client.openWebSocket().hasPrefix("HTTP/1.1 101"))
            client.sendFrame(.ping, "1")
            client.sendFrame(.text, "a")
            client.sendFrame(.close, [3, 0xE8])
            let silence = socket.end == .silence ? 200 : 10_000
            let (bytes, end) = client.receiveAll(silenceAfter: silence)
            #expect(bytes == socket.bytes)
            #expect(end == socket.end)
        }
    }

    @Test func `can still end what it stalled`() async throws {
        let rules = [
            FaultRule(at: .opened, .tcp(.stall)),
            FaultRule(at: .elapsed(milliseconds: 30), .tcp(.reset)),
        ]
        try await withEndpoint(rules) { _, port in
            let client = try RawClient(port)
            client.openWebSocket()
            client.sendFrame(.ping, "1")
            #expect(client.receiveAll() == ([], .reset))
        }
    }

    // W24
    @Test func `records nothing of a connection after its end`() async throws {
        try await withEndpoint([FaultRule(at: .message(1), .tcp(.reset))]) { endpoint, port in
            let client = try RawClient(port)
            client.openWebSocket()
            var frames: [UInt8] = []
            for _ in 0..<3 {
                FrameEncoder.append(
                    Frame(.text), maskedWith: MaskingKey(1, 2, 3, 4), to: &frames)
            }
            client.send(frames)
            #expect(client.receiveAll() == ([], .reset))
            await endpoint.waitUntil { entries in entries.contains { $0.event == .ended } }
            let events = await endpoint.record.entries.map(\.event)
            #expect(events.last == .ended)
            #expect(events.count { $0 == .messageReceived(byteCount: 0) } == 1)
        }
    }

    @Test func `keeps no more late pongs than a client may have outstanding`() async throws {
        let rule = FaultRule(at: .ping(.every), .pong(.late(milliseconds: 86_400_000)))
        try await withEndpoint([rule]) { endpoint, port in
            let client = try RawClient(port)
            client.openWebSocket()
            let writer = Task { @concurrent in
                for _ in 0..<60_000 { client.sendFrame(.ping, "1") }
            }
            // 256 KiB hold a few thousand; then the endpoint reads no more.
            await endpoint.waitUntil { entries in
                entries.contains { $0.event == .pingReceived(3_000) }
            }
            let pings = await endpoint.record.entries.count {
                if case .pingReceived = $0.event { true } else { false }
            }
            #expect(pings < 20_000)
            // Its sends fail from here on. Not closed before it is through: the number would be
            // another socket's, and get its pings.
            await endpoint.stop()
            await writer.value
        }
    }

    @Test func `drips at its pace`() async throws {
        let rule = FaultRule(at: .opened, .tcp(.drip(milliseconds: 10, bytes: 2)))
        try await withEndpoint([rule]) { _, port in
            let client = try RawClient(port)
            client.openWebSocket()
            let start = ContinuousClock.now
            client.sendFrame(.text, "abcdef")
            #expect(try client.receiveFrame() == Frame(.text, Array("abcdef".utf8)))
            // Four pieces, three pauses; whole milliseconds are rounded down on both sides.
            #expect(ContinuousClock.now - start >= .milliseconds(28))
        }
    }

    @Test func `does not answer the key that was sent`() async throws {
        let rule = FaultRule(at: .handshake, .webSocket(.wrongAccept))
        try await withEndpoint([rule]) { _, port in
            let head = try RawClient(port).openWebSocket()
            #expect(head.hasPrefix("HTTP/1.1 101"))
            #expect(!head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
        }
    }

    // E9
    @Test func `says the same when it is played again`() async throws {
        let rules = [
            FaultRule(at: .accepted, .tcp(.slice(bytes: 30, milliseconds: 3))),
            FaultRule(at: .afterEvent(1), .eventStream(.duplicateEvent)),
            FaultRule(at: .insideData(3), .tcp(.reset)),
        ]
        let runs = Mutex<[[[UInt8]]]>([])
        for _ in 0..<2 {
            try await withEndpoint(rules, seed: 11) { _, port in
                let client = try RawClient(port)
                client.get("/events")
                var pieces: [[UInt8]] = []
                while case .success(let piece) = client.receive(10_000), !piece.isEmpty {
                    pieces.append(piece)
                }
                runs.withLock { $0.append(pieces) }
            }
        }
        let played = runs.withLock { $0 }
        // A slow reader may find two pieces together; the bytes are the same at any pace.
        #expect(played[0].flatMap(\.self) == played[1].flatMap(\.self))
        #expect(played[0].count > 5)
    }
}
