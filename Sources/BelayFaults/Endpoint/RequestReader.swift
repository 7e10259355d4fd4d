import BelayCore
import BelayTCP
import BelayWire

/// Reads the one request of a connection, and answers what is no stream.
final class RequestReader {
    private unowned let connection: EndpointConnection
    private var parser: HTTPHeadParser<HTTPRequestHead>
    private var deadline: LoopTimer?
    /// The request whose content is read, and how much of it is missing.
    private var unfinished: (head: HTTPRequestHead, missing: Int)?

    /// The most content that a request may have, in bytes. It is counted, and kept nowhere.
    private static let bodyLimit = 1 << 20

    init(_ connection: EndpointConnection) {
        self.connection = connection
        let core = connection.core
        parser = HTTPHeadParser(limits: core.limits.head)
        let timer = LoopTimer(on: core.loop) { [unowned self] in deadlineReached() }
        timer.arm(at: core.loop.now.moved(by: core.limits.headTimeout))
        deadline = timer
    }

    /// The next bytes, valid during the call.
    func received(_ bytes: UnsafeRawBufferPointer) {
        guard unfinished == nil else { return receivedBody(bytes.count) }
        if parser.isAtStart, let first = bytes.first, !Self.mayBegin(first) { return refuse(400) }
        do {
            guard let (head, consumed) = try parser.append(bytes) else { return }
            accept(head, rest: UnsafeRawBufferPointer(rebasing: bytes[consumed...]))
        } catch {
            refuse(error.status)
        }
    }

    /// Whether a head may begin like this. A TLS hello may not, and its line end might never come.
    private static func mayBegin(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) || byte == 0x0D || byte == 0x0A
    }

    private func deadlineReached() {
        guard !connection.isMuted else { return }  // A fault keeps the client waiting.
        // A browser opens connections in advance: it would take a 408 for the answer to nothing.
        if parser.isAtStart { connection.finish() } else { refuse(408) }
    }

    private func refuse(_ status: Int) {
        connection.record(.requestRefused(status: status))
        answer(PlainResponse.text(status: status, "\(status)\n"), status: status)
    }

    private func accept(_ head: HTTPRequestHead, rest: UnsafeRawBufferPointer) {
        let path = RequestTarget(head.target).path
        connection.record(
            .request(
                RequestSummary(
                    method: head.method, path: path, lastEventID: head.fields["Last-Event-ID"])))
        connection.strike(Moment(.request))
        guard !connection.isMuted else {
            deadline = nil
            return connection.dropsInput()
        }
        guard namesHost(head) else {
            deadline = nil
            return answerText(400, "400: expected one Host field\n", to: head)
        }
        guard Self.mayHaveBody(head, path) else { return answer(head, rest: rest) }
        guard head.fields["Transfer-Encoding"] == nil else { return refuse(411) }
        guard let length = Int(head.fields["Content-Length"] ?? "0"), length >= 0 else {
            return refuse(400)
        }
        guard length <= Self.bodyLimit else { return refuse(413) }
        guard length > 0 else { return answer(head, rest: rest) }
        unfinished = (head, missing: length)
        receivedBody(rest.count)
    }

    private static func mayHaveBody(_ head: HTTPRequestHead, _ path: String) -> Bool {
        path == EndpointParameter.Route.events.rawValue
            && (head.method == "POST" || head.method == "REPORT")
    }

    private func receivedBody(_ count: Int) {
        guard let (head, missing) = unfinished else { return }
        unfinished?.missing = missing - count
        guard missing <= count else { return }
        unfinished = nil
        connection.record(.bodyReceived(byteCount: Int(head.fields["Content-Length"] ?? "") ?? 0))
        answer(head, rest: UnsafeRawBufferPointer(start: nil, count: 0))
    }

    private func answer(_ head: HTTPRequestHead, rest: UnsafeRawBufferPointer) {
        deadline = nil
        let target = RequestTarget(head.target)
        let cursor = head.fields["Last-Event-ID"]
        switch target.path {
        case "/": answerText(200, RouteList.text, to: head)
        case EndpointParameter.Route.events.rawValue: answerEvents(head, target, cursor)
        case EndpointParameter.Route.webSocket.rawValue: openWebSocket(head, target, rest)
        default: answerText(404, "404: see / for what there is\n", to: head)
        }
    }

    /// Whether it has one Host field; HTTP/1.0 may do without. Source: RFC 9112 §3.2.
    private func namesHost(_ head: HTTPRequestHead) -> Bool {
        let count = head.fields.values(of: "Host").count
        return count == 1 || count == 0 && head.version == .http10
    }

    private func answerText(_ status: Int, _ text: String, to head: HTTPRequestHead) {
        if status == 200, head.method != "GET", head.method != "HEAD" {
            return refuseMethod(allow: "GET, HEAD")
        }
        answer(PlainResponse.text(status: status, text, method: head.method), status: status)
    }

    private func refuseMethod(allow: String) {
        answer(PlainResponse.text(status: 405, "405\n", ["Allow": allow]), status: 405)
    }

    private func answer(_ bytes: [UInt8], status: Int) {
        deadline = nil
        connection.dropsInput()
        connection.say(
            bytes, at: Moment(.response), note: .response(status: status), then: [.finish])
    }

    /// The query's options, or `nil` when a 400 was sent.
    private func options(
        _ target: RequestTarget, _ route: EndpointParameter.Route, _ head: HTTPRequestHead
    ) -> RequestOptions? {
        do {
            let options = try EndpointParameter.options(of: target.items, on: route)
            connection.add(options.rules)
            return options
        } catch {
            answerText(400, "400: \(error)\n", to: head)
            return nil
        }
    }

    private func answerEvents(
        _ head: HTTPRequestHead, _ target: RequestTarget, _ cursor: String?
    ) {
        guard ["GET", "HEAD", "POST", "REPORT"].contains(head.method) else {
            return refuseMethod(allow: "GET, HEAD, POST, REPORT")
        }
        guard let last = EventCursor.parse(cursor ?? "0") else {
            return answerText(400, "400: Last-Event-ID: expected an integer\n", to: head)
        }
        guard let options = options(target, .events, head) else { return }
        let bytes = PlainResponse.encoded(
            status: 200,
            [
                "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store",
            ])
        guard head.method != "HEAD" else { return answer(bytes, status: 200) }
        let session = EventStreamSession(
            connection, options.events, after: connection.startAfter ?? last)
        connection.continues(with: .events(session))
        connection.say(bytes, at: Moment(.response), note: .response(status: 200))
        connection.strike(Moment(.responseSent))
        session.begin()
    }

    private func openWebSocket(
        _ head: HTTPRequestHead, _ target: RequestTarget, _ rest: UnsafeRawBufferPointer
    ) {
        guard let options = options(target, .webSocket, head) else { return }
        let offer: OpeningHandshake.Offer
        do {
            offer = try OpeningHandshake.Offer(head)
        } catch {
            var refusal = error.response
            refusal.fields.append("Connection", "close")
            return answer(PlainResponse.encoded(refusal), status: refusal.status)
        }
        let policy = connection.core.limits.compression
        let deflate = policy?.answer(to: offer.extensions)
        let response = offer.response(.init(extensions: deflate.map { [$0.answer.named] } ?? []))
        let session = WebSocketSession(options, deflate?.agreement, limits: connection.core.limits)
        connection.continues(with: .webSocket(session))
        connection.say(
            PlainResponse.encoded(response), at: Moment(.handshake),
            note: .response(status: 101))
        connection.strike(Moment(.opened))
        session.begin(on: connection)
        if !rest.isEmpty { session.received(rest, on: connection) }
    }
}
