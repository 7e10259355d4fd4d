import Foundation

@testable import BelayWire

/// Heads and the opening handshake of both sides, with the extension field and what is agreed on.
enum HandshakeTarget: FuzzTarget {
    static let name = "handshake"

    private struct Outcome<Head: HTTPHead & Equatable>: Equatable {
        var head: Head?
        var taken = 0
        var error: HTTPHeadError?
    }

    static func judge(_ input: [UInt8]) {
        let input = FuzzInput(input)
        if input.isSet(1) {
            guard let head = head(HTTPRequestHead.self, in: input) else { return }
            checkEncoding(of: head) { try $0.encode(into: &$1) }
            checkExtensions(in: head.fields)
            judge(request: head)
        } else {
            guard let head = head(HTTPResponseHead.self, in: input) else { return }
            checkEncoding(of: head) { try $0.encode(into: &$1) }
            checkExtensions(in: head.fields)
            judge(response: head, input)
        }
    }

    /// The head, the same for every chunking.
    private static func head<Head: HTTPHead & Equatable>(
        _ kind: Head.Type, in input: FuzzInput
    ) -> Head? {
        let limits = input.choice(
            1,
            (
                HTTPHeadLimits(), HTTPHeadLimits(headBytes: 300), HTTPHeadLimits(lineBytes: 64),
                HTTPHeadLimits(headBytes: 200, lineBytes: 64, fieldCount: 5)
            ))
        let whole: Outcome<Head> = outcome(of: [input.bytes], limits)
        for chunks in input.chunkings {
            agree(outcome(of: chunks, limits), whole, "the head depends on the chunking")
        }
        hold((whole.head?.fields.count ?? 0) <= limits.fieldCount, "more fields than the limit")
        hold(whole.taken <= limits.headBytes, "a head over its limit")
        return whole.head
    }

    private static func outcome<Head: HTTPHead & Equatable>(
        of chunks: [[UInt8]], _ limits: HTTPHeadLimits
    ) -> Outcome<Head> {
        var parser = HTTPHeadParser<Head>(limits: limits)
        var outcome = Outcome<Head>()
        for chunk in chunks {
            do throws(HTTPHeadError) {
                let found = try parser.append(chunk)
                hold(outcome.error == nil, "a spent parser reads on")
                outcome.taken += found?.consumed ?? chunk.count
                if let found {
                    outcome.head = found.head
                    return outcome
                }
            } catch {
                agree(outcome.error ?? error, error, "a spent parser changes its mind")
                outcome.error = error
            }
        }
        if outcome.error != nil { outcome.taken = 0 }
        return outcome
    }

    /// A head that was read can be written, and is then read as the same head.
    private static func checkEncoding<Head: HTTPHead & Equatable>(
        of head: Head, encode: (Head, inout [UInt8]) throws -> Void
    ) {
        var bytes: [UInt8] = []
        do {
            try encode(head, &bytes)
        } catch {
            finding("a head that was read cannot be written: \(error)")
        }
        // Bytes that were no UTF-8 are longer in the text that they became.
        let room = HTTPHeadLimits(headBytes: 1 << 20, lineBytes: 1 << 20)
        let read: Outcome<Head> = outcome(of: [bytes], room)
        agree(read.head, head, "a head is read otherwise than it was")
        agree(read.taken, bytes.count, "a head ends elsewhere")
    }

    /// What the extension field was read as says the same again.
    private static func checkExtensions(in fields: HTTPFields) {
        guard let extensions = WebSocketExtension.list(in: fields) else { return }
        let text = extensions.map(\.text).joined(separator: ",")
        agree(
            WebSocketExtension.list(in: ["Sec-WebSocket-Extensions": text]), extensions,
            "extensions are read otherwise than they were")
    }
}

// MARK: The server's side

extension HandshakeTarget {
    /// A request is accepted only with all that RFC 6455 §4.2.1 asks for, and our own client then
    /// accepts the answer to it.
    private static func judge(request head: HTTPRequestHead) {
        guard let offer = try? OpeningHandshake.Offer(head) else { return }
        hold(head.method == "GET" && head.version == .http11, "accepted: \(head)")
        hold(tokens(head.fields, "upgrade").contains("websocket"), "no Upgrade: \(head)")
        hold(tokens(head.fields, "connection").contains("upgrade"), "no Connection: \(head)")
        agree(values(head.fields, "sec-websocket-version"), ["13"], "another version")
        agree(values(head.fields, "host").count, 1, "not one Host")
        agree(values(head.fields, "sec-websocket-key"), [offer.key], "not one key")
        guard let nonce = Data(base64Encoded: offer.key), nonce.count == 16 else {
            finding("a key that is not 16 bytes: \(offer.key)")
        }
        let answer = PermessageDeflate.Policy.server.answer(to: offer.extensions)
        let response = offer.response(
            OpeningHandshake.Agreement(
                subprotocol: offer.subprotocols.first,
                extensions: answer.map { [$0.answer.named] } ?? []))
        let request = OpeningHandshake.Request(
            nonce: Array(nonce), target: "/", host: "h", subprotocols: offer.subprotocols,
            extensions: offer.extensions)
        // A key may end in bits that say nothing; only ours is written without them.
        guard request.key == offer.key else { return }
        do throws(OpeningHandshake.ResponseFault) {
            let agreement = try request.check(response)
            agree(agreement.subprotocol, offer.subprotocols.first, "another subprotocol")
            checkAgreement(agreement, with: answer, of: offer)
        } catch {
            finding("our client refuses our answer: \(error)")
        }
    }

    /// What a side sends is within what the other is ready for; it may be less.
    private static func checkReading(
        of sender: PermessageDeflate.Sender, by receiver: PermessageDeflate.Sender
    ) {
        hold(sender.windowBits <= receiver.windowBits, "windows: \(sender) to \(receiver)")
        hold(
            receiver.takeover == .allowed || sender.takeover == .none,
            "context takeover: \(sender) to \(receiver)")
    }

    /// Client and server agree on the same, if the offer that was answered comes first.
    private static func checkAgreement(
        _ agreement: OpeningHandshake.Agreement,
        with answer: (answer: PermessageDeflate.Parameters, agreement: PermessageDeflate)?,
        of offer: OpeningHandshake.Offer
    ) {
        let offers = PermessageDeflate.members(of: offer.extensions)
            .compactMap { try? PermessageDeflate.Parameters($0) }
        agree(answer == nil, offers.isEmpty, "an offer is passed over")
        guard let answer, let first = offers.first else { return }
        do throws(PermessageDeflate.Fault) {
            guard let seen = try first.agreement(answeredBy: agreement.extensions) else {
                finding("our client sees no answer: \(agreement)")
            }
            checkReading(of: answer.agreement.server, by: seen.server)
            checkReading(of: seen.client, by: answer.agreement.client)
        } catch {
            finding("our client refuses our compression: \(error)")
        }
    }
}

// MARK: The client's side

extension HandshakeTarget {
    private static let nonce = Array("the sample nonce".utf8)
    /// What answers that nonce, computed elsewhere.
    private static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
    private static let subprotocols = ["chat", "superchat"]

    /// A response is accepted only with all that RFC 6455 §4.1 asks for, and compression only
    /// within what was offered.
    private static func judge(response head: HTTPResponseHead, _ input: FuzzInput) {
        let offered = PermessageDeflate.Parameters(
            serverTakeover: input.isSet(8) ? .none : .allowed,
            clientTakeover: input.isSet(16) ? .none : .allowed,
            serverWindowBits: input.isSet(32) ? 10 : nil,
            clientWindow: input.choice(6, (.any, .unnamed, .atMost(12), .atMost(15))))
        let request = OpeningHandshake.Request(
            nonce: nonce, target: "/", host: "h", subprotocols: subprotocols,
            extensions: [offered.named])
        guard let agreement = try? request.check(head) else { return }
        hold(head.status == 101 && head.version == .http11, "accepted: \(head)")
        hold(tokens(head.fields, "upgrade").contains("websocket"), "no Upgrade: \(head)")
        hold(tokens(head.fields, "connection").contains("upgrade"), "no Connection: \(head)")
        agree(values(head.fields, "sec-websocket-accept"), [accept], "another key is answered")
        agree(
            values(head.fields, "sec-websocket-protocol"), agreement.subprotocol.map { [$0] } ?? [],
            "another subprotocol")
        hold(agreement.subprotocol.map(subprotocols.contains) ?? true, "a subprotocol not offered")
        for answered in agreement.extensions {
            agree(answered.name.lowercased(), "permessage-deflate", "an extension not offered")
        }
        guard let compression = try? offered.agreement(answeredBy: agreement.extensions) else {
            return
        }
        hold((8...15).contains(compression.client.windowBits), "windows: \(compression)")
        hold(
            (8...(offered.serverWindowBits ?? 15)).contains(compression.server.windowBits),
            "windows: \(compression)")
        hold(
            offered.serverTakeover == .allowed || compression.server.takeover == .none,
            "a demand is not kept: \(compression)")
        if case .atMost(let bits) = offered.clientWindow {
            hold(compression.client.windowBits <= bits, "windows: \(compression)")
        }
    }

    /// The members of a list, in lower case, read as simply as can be.
    private static func tokens(_ fields: HTTPFields, _ name: String) -> [String] {
        values(fields, name).joined(separator: ",").split(separator: ",").map {
            $0.trimmingCharacters(in: CharacterSet(charactersIn: " \t")).lowercased()
        }
    }

    private static func values(_ fields: HTTPFields, _ name: String) -> [String] {
        fields.all.filter { $0.name.lowercased() == name }.map(\.value)
    }
}

extension HandshakeTarget {
    static let seeds: [[UInt8]] =
        [
            request("Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"),
            request("Sec-WebSocket-Protocol: chat, superchat\r\nOrigin: http://example.com"),
            request(
                "Sec-WebSocket-Extensions: x;a=\"b\", permessage-deflate; "
                    + "server_max_window_bits=10, permessage-deflate;server_no_context_takeover;"
                    + "client_no_context_takeover"),
            response("Sec-WebSocket-Protocol: chat"),
            FuzzInput.seed("HTTP/1.1 426 Upgrade Required\nUpgrade: websocket\n\nbody"),
            FuzzInput.seed("\r\nPOST / HTTP/1.0\r\nHost : x\r\n folded\r\n\r\n", settings: 1),
            FuzzInput.seed("GET /a?b=c HTTP/1.1\r\nA:\r\nA: \tb\t\r\n\r\n", settings: 7),
        ] + answers

    /// Answers to permessage-deflate, each of them to several offers.
    private static let answers: [[UInt8]] = [
        "", "; server_max_window_bits=12", "; client_max_window_bits=11",
        "; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=\"10\"",
    ].flatMap { parameters in
        [0x00, 0x08, 0x30, 0x60, 0xB8, 0xC0].map { offer in
            response("sec-websocket-extensions: permessage-deflate\(parameters)", settings: offer)
        }
    }

    private static func request(_ line: String) -> [UInt8] {
        FuzzInput.seed(
            "GET /chat HTTP/1.1\r\nHost: server.example.com\r\nUpgrade: websocket\r\n"
                + "Connection: keep-alive, Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\(line)\r\n\r\n",
            settings: 1)
    }

    private static func response(_ line: String, settings: UInt8 = 0) -> [UInt8] {
        FuzzInput.seed(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(accept)\r\n\(line)\r\n\r\n",
            settings: settings)
    }
}
