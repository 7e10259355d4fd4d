import BelayFaults
import BelayTCP
import BelayWire
import Testing

@Suite(.tags(.realTime), .timeLimit(.minutes(5)))
struct `An endpoint` {
    // MARK: Listening

    // E7
    @Test(arguments: ["0.0.0.0", "::", "192.0.2.1"])
    func `is not opened to other machines unless that is said`(_ host: String) async throws {
        try await withEndpoint { endpoint, _ in
            await endpoint.stop()
            await #expect(throws: EndpointError.notLoopback(host: host)) {
                try await endpoint.start(host: host)
            }
        }
    }

    @Test func `may be opened to other machines`() async throws {
        try await withEndpoint { endpoint, _ in
            await endpoint.stop()
            let port = try await endpoint.start(host: "0.0.0.0", exposure: .anyAddress)
            let client = try RawClient(port)
            client.get("/")
            #expect(client.response().head.hasPrefix("HTTP/1.1 200"))
        }
    }

    // E7
    @Test func `listens on loopback by default`() async throws {
        try await withEndpoint { _, port in
            // Another address of the same machine is refused: nobody listens on all of them.
            #expect(throws: RawClient.Failure.self) { try RawClient(port, host: 0x7F00_0002) }
        }
    }

    @Test func `names a host that is no address, and a port that is taken`() async throws {
        try await withEndpoint { endpoint, port in
            await #expect(throws: EndpointError.alreadyStarted) { try await endpoint.start() }
            await endpoint.stop()
            let other = Endpoint(limits: EndpointLimits())
            let taken = try await other.start()
            let errors = await [
                startError { try await endpoint.start(host: "example") },
                startError { try await endpoint.start(port: taken) },
            ]
            #expect(
                errors.map(\.?.description) == [
                    "example is no IPv4 or IPv6 address",
                    "cannot listen on 127.0.0.1:\(taken): another program listens there",
                ])
            await other.stop()
            // After the failures it can still be started.
            try await endpoint.start()
            _ = port
        }
    }

    private func startError(
        _ start: () async throws -> UInt16
    ) async -> EndpointError? {
        do {
            _ = try await start()
            return nil
        } catch {
            return error as? EndpointError
        }
    }

    // MARK: Requests

    struct Request: CustomTestStringConvertible {
        let bytes: String
        let status: Int
        var contains = ""
        var testDescription: String { bytes.prefix(40).debugDescription }
    }

    // E7
    @Test(arguments: [
        Request(bytes: "GET /nothing HTTP/1.1\r\nHost: t\r\n\r\n", status: 404),
        Request(bytes: "POST /nothing HTTP/1.1\r\nHost: t\r\n\r\n", status: 404),
        Request(bytes: "GET /events/ HTTP/1.1\r\nHost: t\r\n\r\n", status: 404),
        Request(bytes: "GET /events HTTP/1.1\r\nHost: t\r\nLast-Event-ID: x\r\n\r\n", status: 400),
        Request(bytes: "GET /events HTTP/1.1\r\nHost: t\r\nLast-Event-ID:\r\n\r\n", status: 400),
        Request(
            bytes: "PUT /events HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\n\r\nhi", status: 405,
            contains: "Allow: GET, HEAD, POST, REPORT\r\n"),
        Request(
            bytes: "POST /events HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\n\r\nhi", status: 200,
            contains: "data: finished\n"),
        Request(bytes: "REPORT /events HTTP/1.1\r\nHost: t\r\n\r\n", status: 200),
        Request(
            bytes: "POST /events HTTP/1.1\r\nHost: t\r\nContent-Length: 1048577\r\n\r\n",
            status: 413),
        Request(
            bytes: "POST /events HTTP/1.1\r\nHost: t\r\nContent-Length: x\r\n\r\n", status: 400),
        Request(
            bytes:
                "POST /events HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            status: 200),
        Request(bytes: "POST / HTTP/1.1\r\nHost: t\r\n\r\n", status: 405),
        Request(
            bytes: "POST /ws HTTP/1.1\r\nHost: t\r\n\r\n", status: 405, contains: "Allow: GET\r\n"),
        Request(bytes: "GET /events HTTP/2.0\r\n\r\n", status: 505),
        Request(bytes: "GET  /events HTTP/1.1\r\nHost: t\r\n\r\n", status: 400),
        Request(bytes: "GET /events HTTP/1.0\r\n\r\n", status: 200),
        Request(bytes: "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", status: 400),
        Request(bytes: "\u{16}\u{03}\u{01}", status: 400),
        Request(
            bytes: "GET /" + String(repeating: "a", count: 70_000) + " HTTP/1.1\r\nHost: t\r\n\r\n",
            status: 431),
        Request(
            bytes: "GET / HTTP/1.1\r\nHost: t\r\n" + String(repeating: "A: b\r\n", count: 200)
                + "\r\n",
            status: 431),
        Request(
            bytes: "GET /events?half=x HTTP/1.1\r\nHost: t\r\n\r\n", status: 400,
            contains: "half: expected an integer from 1 to 1000000000\n"),
        Request(
            bytes: "GET /events?type=%0D%0AX:y HTTP/1.1\r\nHost: t\r\n\r\n", status: 400,
            contains: "type: expected 1 to 256 visible ASCII characters\n"),
        Request(
            bytes: "GET /ws?pong=never HTTP/1.1\r\nHost: t\r\n\r\n", status: 400,
            contains: "pong: expected late:MS, none, duplicate or wrong\n"),
        Request(bytes: "GET /events?status=503 HTTP/1.1\r\nHost: t\r\n\r\n", status: 503),
        Request(bytes: "GET /events?status=204 HTTP/1.1\r\nHost: t\r\n\r\n", status: 204),
        Request(
            bytes: "GET /events?type=text/html&cut=1 HTTP/1.1\r\nHost: t\r\n\r\n", status: 200,
            contains: "Content-Type: text/html\r\n"),
        Request(
            bytes: "HEAD /events HTTP/1.1\r\nHost: t\r\n\r\n", status: 200,
            contains: "close\r\n\r\n"),
        Request(bytes: "GET http://test/events?cut=1 HTTP/1.1\r\nHost: t\r\n\r\n", status: 200),
        Request(
            bytes: "GET / HTTP/1.1\r\nHost: t\r\n\r\n", status: 200,
            contains: "  cutid=N           ends"),
    ])
    func `answers each request with its status`(_ request: Request) async throws {
        try await withEndpoint { _, port in
            let client = try RawClient(port)
            client.send(request.bytes)
            let (head, body, end) = client.response()
            #expect(head.hasPrefix("HTTP/1.1 \(request.status) "))
            #expect((head + body).contains(request.contains) || request.contains.isEmpty)
            #expect(end == .fin)
        }
    }

    /// Source: RFC 9112 §3.2.
    @Test(arguments: ["/", "/events?cut=1", "/ws", "/nothing"], ["", "Host: a\r\nHost: a\r\n"])
    func `refuses a request that names no host, or more than one`(
        _ target: String, _ hosts: String
    ) async throws {
        try await withEndpoint { _, port in
            let client = try RawClient(port)
            client.send("GET \(target) HTTP/1.1\r\n\(hosts)\r\n")
            let (head, body, end) = client.response()
            #expect(head.hasPrefix("HTTP/1.1 400 "))
            #expect(body == "400: expected one Host field\n")
            #expect(end == .fin)
        }
    }

    @Test func `sends no body for HEAD`() async throws {
        try await withEndpoint { _, port in
            let client = try RawClient(port)
            client.send("HEAD / HTTP/1.1\r\nHost: t\r\n\r\n")
            let (head, body, _) = client.response()
            #expect(head.contains("Content-Length: "))
            #expect(body.isEmpty)
        }
    }

    @Test func `lets others go on when one sends garbage`() async throws {
        try await withEndpoint { _, port in
            let good = try RawClient(port)
            good.openWebSocket()
            let bad = try RawClient(port)
            bad.send([0xFF, 0x00, 0x80])
            #expect(bad.response().head.hasPrefix("HTTP/1.1 400 "))
            good.sendFrame(.text, "still here")
            #expect(try good.receiveFrame() == Frame(.text, Array("still here".utf8)))
        }
    }

    @Test func `ends a head that drips past its deadline`() async throws {
        // A busy machine must come to the first words before it.
        try await withEndpoint(limits: EndpointLimits(headTimeout: 2_000)) { _, port in
            let silent = try RawClient(port)
            let slow = try RawClient(port)
            slow.send("GET / HT")
            #expect(slow.response().head.hasPrefix("HTTP/1.1 408 "))
            #expect(silent.receiveAll() == ([], .fin))
        }
    }

    @Test func `resets a connection over the limit`() async throws {
        try await withEndpoint(limits: EndpointLimits(connections: 1)) { endpoint, port in
            let first = try RawClient(port)
            first.openWebSocket()
            let second = try RawClient(port)
            #expect(second.receiveAll().end == .reset)
            let entries = await endpoint.record.entries(of: 2)
            #expect(entries.map(\.event) == [.overLimit])
        }
    }

    @Test func `serves many connections at once`() async throws {
        try await withEndpoint { endpoint, port in
            let clients = try (0..<200).map { _ in try RawClient(port) }
            for client in clients { client.openWebSocket() }
            for (index, client) in clients.enumerated() { client.sendFrame(.text, "\(index)") }
            for (index, client) in clients.enumerated() {
                #expect(try client.receiveFrame() == Frame(.text, Array("\(index)".utf8)))
            }
            for client in clients { client.close() }
            await endpoint.waitUntil { entries in
                entries.count { $0.event == .ended } == 200
            }
        }
    }

    // MARK: Record and plan

    // W22
    @Test func `records what it saw, and no secret`() async throws {
        try await withEndpoint { endpoint, port in
            let client = try RawClient(port)
            client.get(
                "/events?token=secret", "Last-Event-ID: 2", "Authorization: Bearer secret")
            _ = client.response()
            client.close()
            await endpoint.waitUntil { $0.last?.event == .ended }
            let record = await endpoint.takeRecord()
            let summary = RequestSummary(method: "GET", path: "/events", lastEventID: "2")
            #expect(
                record.entries.map(\.event) == [
                    .accepted, .request(summary), .response(status: 200), .eventSent(id: 3),
                    .finSent, .ended,
                ])
            #expect(record.entries.allSatisfy { $0.connection == 1 })
            #expect(await endpoint.record.entries.isEmpty)
        }
    }

    @Test func `counts what its record has no room for`() async throws {
        try await withEndpoint(limits: EndpointLimits(recordEntries: 2)) { endpoint, port in
            let client = try RawClient(port)
            client.get("/events")
            _ = client.response()
            let record = await endpoint.record
            #expect(record.entries.count == 2)
            #expect(record.omitted >= 4)
        }
    }

    @Test func `sees FIN and RST of a client`() async throws {
        try await withEndpoint { endpoint, port in
            let fin = try RawClient(port)
            fin.openWebSocket()
            fin.shutdownWriting()
            #expect(fin.receiveAll() == ([], .fin))
            let reset = try RawClient(port)
            reset.openWebSocket()
            reset.reset()
            await endpoint.waitUntil { entries in
                entries.count { $0.event == .ended } == 2
            }
            let record = await endpoint.record
            #expect(record.entries(of: 1).map(\.event).contains(.finReceived))
            #expect(record.entries(of: 2).map(\.event).contains(.resetReceived))
        }
    }

    @Test func `ends a wait that is cancelled, and those that it leaves behind`() async throws {
        try await withEndpoint { endpoint, _ in
            let cancelled = Task { await endpoint.waitUntil { _ in false } }
            cancelled.cancel()
            #expect(await cancelled.value == false)
            let left = Task { await endpoint.waitUntil { _ in false } }
            while await endpoint.pendingWaits == 0 { await Task.yield() }
            await endpoint.stop()
            #expect(await left.value == false)
        }
    }

    @Test func `closes nobody when its plan changes, and judges anew`() async throws {
        try await withEndpoint([FaultRule(at: .ping(.every), .pong(.missing))]) { endpoint, port in
            let client = try RawClient(port)
            client.openWebSocket()
            client.sendFrame(.ping, "1")
            await endpoint.waitUntil { $0.last?.event == .faultStruck(Moment(.ping, 1)) }
            await endpoint.setPlan(FaultPlan())
            client.sendFrame(.ping, "2")
            #expect(try client.receiveFrame() == Frame(.pong, Array("2".utf8)))
        }
    }

    @Test func `ends every connection with FIN when it stops`() async throws {
        try await withEndpoint { endpoint, port in
            let client = try RawClient(port)
            client.openWebSocket()
            await endpoint.stop()
            #expect(client.receiveAll() == ([], .fin))
            #expect(await endpoint.record.entries.last?.event == .ended)
            #expect(throws: RawClient.Failure.self) { try RawClient(port) }
        }
    }

    @Test func `records nothing of connections from before a new start`() async throws {
        try await withEndpoint { endpoint, first in
            let before = try RawClient(first)
            before.openWebSocket()
            await endpoint.stop()
            _ = await endpoint.takeRecord()
            let after = try RawClient(try await endpoint.start())
            before.reset()
            after.get("/")
            _ = after.response()
            after.close()
            await endpoint.waitUntil { $0.contains { $0.event == .ended } }
            let record = await endpoint.record
            #expect(!record.entries.contains { $0.event == .resetReceived })
        }
    }

    @Test func `counts connections from 1 after a new start`() async throws {
        try await withEndpoint { endpoint, first in
            _ = try RawClient(first)
            await endpoint.waitUntil { !$0.isEmpty }
            await endpoint.stop()
            _ = await endpoint.takeRecord()
            let port = try await endpoint.start()
            let client = try RawClient(port)
            await endpoint.waitUntil { $0.contains { $0.event == .accepted } }
            let accepted = await endpoint.record.entries.first { $0.event == .accepted }
            #expect(accepted?.connection == 1)
            client.close()
        }
    }
}
