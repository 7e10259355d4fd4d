import BelayCore
import BelayTCP
import BelayWire

/// Reads the one request of a connection, and answers what is no stream.
///
/// A content is read for a `Respondent`, and for a stream that is asked for by `POST` or `REPORT`.
final class RequestReader {
    private unowned let connection: EndpointConnection
    private var parser: HTTPHeadParser<HTTPRequestHead>
    private var deadline: LoopTimer?
    /// The request whose content is on its way.
    private var pending: (head: HTTPRequestHead, body: RequestBody)?

    /// The most content that the request of a stream may have, in bytes.
    private static let streamBodyLimit = 1 << 20

    init(_ connection: EndpointConnection) {
        self.connection = connection
        parser = HTTPHeadParser(limits: connection.core.limits.head)
        armDeadline()
    }

    private func armDeadline() {
        let core = connection.core
        let timer = LoopTimer(on: core.loop) { [unowned self] in deadlineReached() }
        timer.arm(at: core.loop.now.moved(by: core.limits.headTimeout))
        deadline = timer
    }

    /// The next bytes, valid during the call.
    func received(_ bytes: UnsafeRawBufferPointer) {
        guard pending == nil else { return receivedContent(bytes) }
        if parser.isAtStart, let first = bytes.first, !Self.mayBegin(first) { return refuse(400) }
        do {
            guard let (head, consumed) = try parser.append(bytes) else { return }
            deadline = nil
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
        if pending == nil, parser.isAtStart { connection.finish() } else { refuse(408) }
    }

    private func refuse(_ status: Int) {
        connection.record(.requestRefused(status: status))
        answer(PlainResponse.text(status: status, "\(status)\n"), status: status)
    }

    private func accept(_ head: HTTPRequestHead, rest: UnsafeRawBufferPointer) {
        let target = RequestTarget(head.target)
        connection.record(
            .request(
                RequestSummary(
                    method: head.method, path: target.path,
                    lastEventID: head.fields["Last-Event-ID"])))
        connection.strike(Moment(.request))
        guard !connection.isMuted else { return connection.dropsInput() }
        guard namesHost(head) else {
            return answerText(400, "400: expected one Host field\n", to: head)
        }
        if let limit = bodyLimit(of: head, target) {
            beginContent(head, rest, limit: limit)
        } else {
            answer(head, rest: rest)
        }
    }

    /// Whether it has one Host field; HTTP/1.0 may do without. Source: RFC 9112 §3.2.
    private func namesHost(_ head: HTTPRequestHead) -> Bool {
        let count = head.fields.values(of: "Host").count
        return count == 1 || count == 0 && head.version == .http10
    }

    private func answer(_ head: HTTPRequestHead, rest: UnsafeRawBufferPointer) {
        let target = RequestTarget(head.target)
        let cursor = head.fields["Last-Event-ID"]
        switch target.path {
        case "/": answerText(200, RouteList.text, to: head)
        case EndpointParameter.Route.events.rawValue: answerEvents(head, target, cursor)
        case EndpointParameter.Route.webSocket.rawValue: openWebSocket(head, target, rest)
        default: answerText(404, "404: see / for what there is\n", to: head)
        }
    }

    // MARK: A request's content

    /// `nil` where no content is read.
    private func bodyLimit(of head: HTTPRequestHead, _ target: RequestTarget) -> Int? {
        if let limit = connection.core.bodyLimit { return limit }
        guard target.path == EndpointParameter.Route.events.rawValue else { return nil }
        return head.method == "POST" || head.method == "REPORT" ? Self.streamBodyLimit : nil
    }

    private func beginContent(
        _ head: HTTPRequestHead, _ rest: UnsafeRawBufferPointer, limit: Int
    ) {
        let body: RequestBody
        do throws(RequestBody.Refusal) {
            body = try RequestBody(of: head, limit: limit)
        } catch {
            return refuse(error.status)
        }
        pending = (head, body)
        armDeadline()
        if !body.isComplete, head.fields.list(of: "Expect", contains: "100-continue") {
            // The client waits for it. Source: RFC 9110 §10.1.1.
            connection.say(PlainResponse.encoded(HTTPResponseHead(status: 100, reason: "")))
        }
        receivedContent(rest)
    }

    private func receivedContent(_ bytes: UnsafeRawBufferPointer) {
        do throws(RequestBody.Refusal) {
            // In place: a copy for each segment would be quadratic.
            try pending?.body.append(bytes)
        } catch {
            return refuse(error.status)
        }
        guard let (head, body) = pending, body.isComplete else { return }
        deadline = nil
        guard connection.core.bodyLimit != nil else {
            if !body.bytes.isEmpty {
                connection.record(.bodyReceived(byteCount: body.bytes.count))
            }
            return answer(head, rest: UnsafeRawBufferPointer(start: nil, count: 0))
        }
        connection.asks(
            PlainRequest(
                method: head.method, path: RequestTarget(head.target).path, fields: head.fields,
                body: body.bytes))
    }

    // MARK: The endpoint's own routes

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
