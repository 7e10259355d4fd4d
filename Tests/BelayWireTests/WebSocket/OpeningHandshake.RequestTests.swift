import BelayWire
import Testing

@Suite struct `The client's opening handshake` {
    static let request = OpeningHandshake.Request(
        nonce: [UInt8]("the sample nonce"), target: "/chat?room=1", host: "example.test:8080",
        subprotocols: ["chat", "superchat"],
        extensions: [
            WebSocketExtension(
                name: "permessage-deflate", parameters: [.init(name: "client_max_window_bits")])
        ],
        fields: ["Authorization": "Bearer x", "sec-websocket-key": "forged", "Host": "other"])

    @Test func `writes its request with its own fields once`() throws {
        var bytes: [UInt8] = []
        try Self.request.head.encode(into: &bytes)
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                GET /chat?room=1 HTTP/1.1\r
                Host: example.test:8080\r
                Upgrade: websocket\r
                Connection: Upgrade\r
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                Sec-WebSocket-Version: 13\r
                Sec-WebSocket-Protocol: chat, superchat\r
                Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r
                Authorization: Bearer x\r
                \r

                """)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let response: String
        let outcome: Result<OpeningHandshake.Agreement, OpeningHandshake.ResponseFault>

        init(_ name: String, _ response: String, subprotocol: String? = nil) {
            testDescription = name
            self.response = response
            outcome = .success(OpeningHandshake.Agreement(subprotocol: subprotocol))
        }

        init(_ name: String, _ response: String, _ fault: OpeningHandshake.ResponseFault) {
            testDescription = name
            self.response = response
            outcome = .failure(fault)
        }
    }

    static let line = "HTTP/1.1 101 Switching Protocols\n"
    static let upgrade = "Upgrade: websocket\nConnection: Upgrade\n"
    static let accept = "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\n"
    static let good = line + upgrade + accept

    /// Rows D2 to D5 of the public bug reports.
    @Test(arguments: [
        Case("as the RFC writes it", good),
        Case(
            "names in other cases",
            line + upgrade.lowercased()
                + "SEC-WEBSOCKET-ACCEPT: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\n"),
        Case(
            "values in other cases and lists",
            line + "Upgrade: h2c, WebSocket\nConnection: keep-alive\nConnection:UPGRADE ,x\n"
                + accept),
        Case(
            "an offered subprotocol", good + "Sec-WebSocket-Protocol: chat\n", subprotocol: "chat"),
        Case("status 200", "HTTP/1.1 200 OK\n" + upgrade + accept, .status(200)),
        Case("status 302", "HTTP/1.1 302 Found\n" + upgrade + accept, .status(302)),
        Case("status 401", "HTTP/1.1 401 Unauthorized\n", .status(401)),
        Case("status 426", "HTTP/1.1 426 Upgrade Required\n", .status(426)),
        Case("status 503", "HTTP/1.1 503 \nRetry-After: 3\n", .status(503)),
        Case("HTTP/1.0", "HTTP/1.0 101 Switching Protocols\n" + upgrade + accept, .version),
        Case("no Upgrade", line + "Connection: Upgrade\n" + accept, .upgradeMissing),
        Case(
            "an Upgrade to something else",
            line + "Upgrade: websocket2\nConnection: Upgrade\n" + accept, .upgradeMissing),
        Case("no Connection", line + "Upgrade: websocket\n" + accept, .connectionMissing),
        Case(
            "a Connection that only keeps alive",
            line + "Upgrade: websocket\nConnection: keep-alive\n" + accept, .connectionMissing),
        Case("no accept", line + upgrade, .acceptMissing),
        Case("a wrong accept", line + upgrade + "Sec-WebSocket-Accept: wrong\n", .acceptWrong),
        Case(
            "a wrong accept in lower case", line + upgrade + "sec-websocket-accept: wrong\n",
            .acceptWrong),
        Case(
            "an accept in another case", line + upgrade + accept.lowercased(), .acceptWrong),
        Case("accept twice", good + accept, .acceptRepeated),
        Case(
            "a subprotocol that was not offered", good + "Sec-WebSocket-Protocol: Chat\n",
            .subprotocolNotOffered("Chat")),
        Case(
            "two subprotocols",
            good + "Sec-WebSocket-Protocol: chat\nSec-WebSocket-Protocol: superchat\n",
            .subprotocolRepeated),
        Case(
            "two subprotocols in one field", good + "Sec-WebSocket-Protocol: chat, superchat\n",
            .subprotocolNotOffered("chat, superchat")),
        Case(
            "an extension that was not offered", good + "Sec-WebSocket-Extensions: x-mux\n",
            .extensionNotOffered("x-mux")),
        Case(
            "extensions that cannot be read", good + "Sec-WebSocket-Extensions: ;;\n",
            .extensionsMalformed),
    ])
    func `judges the response`(_ test: Case) throws {
        let response = try Self.head(test.response)
        let outcome = Result { () throws(OpeningHandshake.ResponseFault) in
            try Self.request.check(response)
        }
        #expect(outcome == test.outcome)
    }

    // D1 of the public bug reports.
    @Test func `leaves frames in the segment of the response to be read`() throws {
        let head = [UInt8](Self.good + "\n")
        let frame = [UInt8](hex: "8105 68656c6c6f")
        let disagreements = disagreements(
            of: head + frame, with: [MessageAssembler.Element.message(AssembledMessage("hello"))]
        ) { chunks in
            var parser = HTTPHeadParser<HTTPResponseHead>()
            var decoder = MessageDecoder(role: .client)
            var isOpen = false
            var elements: [MessageAssembler.Element] = []
            do {
                for chunk in chunks {
                    var rest = chunk[...]
                    if !isOpen, let (response, consumed) = try parser.append(chunk) {
                        _ = try Self.request.check(response)
                        isOpen = true
                        rest = chunk[consumed...]
                    } else if !isOpen {
                        rest = []
                    }
                    try decoder.append(Array(rest), into: &elements)
                }
            } catch {
                Issue.record(error)
            }
            return elements
        }
        #expect(disagreements == [])
    }

    @Test func `needs sixteen bytes of chance`() async {
        await #expect(processExitsWith: .failure) {
            _ = OpeningHandshake.Request(nonce: [1, 2, 3], target: "/", host: "x")
        }
    }

    private static func head(_ text: String) throws -> HTTPResponseHead {
        var parser = HTTPHeadParser<HTTPResponseHead>()
        let parsed = try parser.append([UInt8](text + "\n"))
        return try #require(parsed).head
    }
}
