import BelayWire
import Testing

/// Rows D9 and D11 of the public bug reports: what no conformance suite sends.
@Suite struct `The answer to an offer of permessage-deflate` {
    typealias Fault = PermessageDeflate.Fault

    struct Case: CustomTestStringConvertible, Sendable {
        let offer: String
        let answer: String
        let outcome: Result<PermessageDeflate?, Fault>
        var testDescription: String { "\(offer) · \(answer)" }

        init(_ offer: String, _ answer: String, _ agreement: PermessageDeflate?) {
            (self.offer, self.answer, outcome) = (offer, answer, .success(agreement))
        }

        init(_ offer: String, _ answer: String, _ fault: Fault) {
            (self.offer, self.answer, outcome) = (offer, answer, .failure(fault))
        }
    }

    static let plain = "permessage-deflate"
    static let window = "permessage-deflate; client_max_window_bits"
    static let serverWindow = "server_max_window_bits"
    static let clientWindow = "client_max_window_bits"
    static let noTakeover = "permessage-deflate; server_no_context_takeover"

    static func agreed(
        server: PermessageDeflate.Sender = .init(), client: PermessageDeflate.Sender = .init()
    ) -> PermessageDeflate {
        PermessageDeflate(server: server, client: client)
    }

    static let agreements: [Case] = [
        Case(plain, "", nil),
        Case(plain, "x-other", nil),
        Case(plain, plain, agreed()),
        Case(plain, "Permessage-Deflate", agreed()),
        Case(plain, plain + "; server_max_window_bits=8", agreed(server: .init(windowBits: 8))),
        Case(plain, plain + "; server_max_window_bits=\"9\"", agreed(server: .init(windowBits: 9))),
        Case(plain, noTakeover, agreed(server: .init(takeover: .none))),
        Case(
            plain, plain + "; client_no_context_takeover", agreed(client: .init(takeover: .none))),
        Case(
            plain + "; client_no_context_takeover", plain, agreed(client: .init(takeover: .none))),
        Case(window, window + "=10", agreed(client: .init(windowBits: 10))),
        Case(window, plain, agreed()),
        Case(window + "=11", window + "=11", agreed(client: .init(windowBits: 11))),
        Case(window + "=11", plain, agreed(client: .init(windowBits: 11))),
        Case(
            plain + "; server_max_window_bits=10", plain + "; server_max_window_bits=10",
            agreed(server: .init(windowBits: 10))),
    ]

    static let faults: [Case] = [
        Case(
            plain, plain + "; server_max_window_bits=7",
            .windowMalformed(serverWindow, value: "7")),
        Case(
            plain, plain + "; server_max_window_bits=16",
            .windowMalformed(serverWindow, value: "16")),
        Case(
            plain, plain + "; server_max_window_bits=08",
            .windowMalformed(serverWindow, value: "08")),
        Case(
            plain, plain + "; server_max_window_bits=+9",
            .windowMalformed(serverWindow, value: "+9")),
        Case(
            plain, plain + "; server_max_window_bits=1e1",
            .windowMalformed(serverWindow, value: "1e1")),
        Case(plain, plain + "; server_max_window_bits", .valueMissing(serverWindow)),
        Case(
            plain, plain + "; server_max_window_bits=9; server_max_window_bits=9",
            .repeatedParameter(serverWindow)),
        Case(
            plain, noTakeover + "; server_no_context_takeover",
            .repeatedParameter("server_no_context_takeover")),
        Case(plain, noTakeover + "=1", .valueNotAllowed("server_no_context_takeover")),
        Case(plain, plain + "; x", .unknownParameter("x")),
        Case(
            plain, plain + "; Server_max_window_bits=9",
            .unknownParameter("Server_max_window_bits")),
        Case(plain, window + "=10", .notOffered(clientWindow)),
        Case(window, window, .valueMissing(clientWindow)),
        Case(window + "=9", window + "=10", .windowTooLong(clientWindow, offered: 9)),
        Case(plain + "; server_max_window_bits=9", plain, .notAnswered(serverWindow)),
        Case(
            plain + "; server_max_window_bits=9", plain + "; server_max_window_bits=10",
            .windowTooLong(serverWindow, offered: 9)),
        Case(noTakeover, plain, .notAnswered("server_no_context_takeover")),
        Case(plain, plain + ", " + plain, .answeredTwice),
    ]

    @Test(arguments: agreements + faults)
    func `is an agreement, or the fault that it has`(_ test: Case) throws {
        let offer = try PermessageDeflate.Parameters(try #require(Self.read(test.offer).first))
        let answer = try Self.read(test.answer)
        let outcome = Result { () throws(Fault) in try offer.agreement(answeredBy: answer) }
        #expect(outcome == test.outcome)
    }

    /// By a handshake: how an extension is read is not for users.
    static func read(_ value: String) throws -> [WebSocketExtension] {
        try OpeningHandshake.Offer(
            HTTPRequestHead(
                method: "GET", target: "/",
                fields: [
                    "Host": "test", "Upgrade": "websocket", "Connection": "Upgrade",
                    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
                    "Sec-WebSocket-Version": "13", "Sec-WebSocket-Extensions": value,
                ])
        ).extensions
    }
}
