import BelayWire
import Testing

@Suite struct `The server's opening handshake` {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let request: HTTPRequestHead
        let cause: OpeningHandshake.Refusal.Cause
        let status: Int
    }

    static let fields: HTTPFields = [
        "Host": "localhost", "Upgrade": "websocket", "Connection": "Upgrade",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13",
    ]

    /// The good request with one field changed, removed by nil, or added.
    static func request(
        _ name: String? = nil, _ value: String? = nil, adding: String? = nil,
        method: String = "GET", version: HTTPVersion = .http11
    ) -> HTTPRequestHead {
        var fields = fields
        if let name, let adding {
            fields.append(name, adding)
        } else if let name {
            fields[name] = value
        }
        return HTTPRequestHead(method: method, target: "/ws", fields: fields, version: version)
    }

    static let refused: [Case] = [
        Case(
            testDescription: "POST", request: request(method: "POST"), cause: .methodNotGet,
            status: 405),
        Case(
            testDescription: "HTTP/1.0", request: request(version: .http10), cause: .version,
            status: 400),
        Case(
            testDescription: "no Upgrade", request: request("Upgrade"), cause: .notAnUpgrade,
            status: 426),
        Case(
            testDescription: "Connection only keeps alive",
            request: request("Connection", "keep-alive"), cause: .notAnUpgrade, status: 426),
        Case(
            testDescription: "no Host", request: request("Host"), cause: .hostMissing, status: 400),
        Case(
            testDescription: "two Hosts", request: request("Host", adding: "b"),
            cause: .hostMissing, status: 400),
        Case(
            testDescription: "version 8", request: request("Sec-WebSocket-Version", "8"),
            cause: .webSocketVersion, status: 426),
        Case(
            testDescription: "no version", request: request("Sec-WebSocket-Version"),
            cause: .webSocketVersion, status: 426),
        Case(
            testDescription: "no key", request: request("Sec-WebSocket-Key"), cause: .keyMalformed,
            status: 400),
        Case(
            testDescription: "a short key", request: request("Sec-WebSocket-Key", "dGhl"),
            cause: .keyMalformed, status: 400),
        Case(
            testDescription: "two keys",
            request: request("Sec-WebSocket-Key", adding: "dGhlIHNhbXBsZSBub25jZQ=="),
            cause: .keyMalformed, status: 400),
        Case(
            testDescription: "extensions that cannot be read",
            request: request("Sec-WebSocket-Extensions", adding: ",;"),
            cause: .extensionsMalformed, status: 400),
    ]

    @Test(arguments: refused)
    func `refuses with a cause and a status`(_ test: Case) {
        let refusal = OpeningHandshake.Refusal(test.cause)
        #expect(throws: refusal) { try OpeningHandshake.Offer(test.request) }
        #expect(refusal.response.status == test.status)
        let version = test.status == 426 ? "13" : nil
        #expect(refusal.response.fields["Sec-WebSocket-Version"] == version)
    }

    // D3 of the public bug reports.
    @Test(arguments: [
        ("Upgrade", "WebSocket"), ("Connection", "keep-alive, Upgrade"), ("Connection", "UPGRADE"),
    ])
    func `compares tokens without case, in lists`(_ name: String, _ value: String) throws {
        let offer = try OpeningHandshake.Offer(Self.request(name, value))
        #expect(offer.key == "dGhlIHNhbXBsZSBub25jZQ==")
    }

    @Test func `answers with the accept of the key`() throws {
        var bytes: [UInt8] = []
        let offer = try OpeningHandshake.Offer(Self.request())
        try offer.response().encode(into: &bytes)
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                HTTP/1.1 101 Switching Protocols\r
                Upgrade: websocket\r
                Connection: Upgrade\r
                Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r
                \r

                """)
    }

    @Test func `chooses the subprotocol that the client wants most`() throws {
        var head = Self.request()
        head.fields.append("Sec-WebSocket-Protocol", "c, b")
        head.fields.append("Sec-WebSocket-Protocol", "a")
        let offer = try OpeningHandshake.Offer(head)
        #expect(offer.subprotocols == ["c", "b", "a"])
        #expect(offer.subprotocol(among: ["a", "b"]) == "b")
        #expect(offer.subprotocol(among: ["B"]) == nil)
    }
}
