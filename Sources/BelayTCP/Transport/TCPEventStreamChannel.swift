import BelayCore
import BelayTransport
import BelayWire

/// One event stream of one generation, from its request to its end.
final class TCPEventStreamChannel: TransportChannel, TCPStreamDelegate {
    private enum State {
        /// The connection or the response is awaited. `nil` only inside `init`.
        case opening(HTTPOpening?)
        case open(TCPStream, HTTPBodyDecoder)
        case ended
    }

    /// What the transport writes itself, and no application may write otherwise.
    private static let ownFields = [
        "Host", "Accept", "Cache-Control", "Last-Event-ID", "Accept-Encoding", "Connection",
        "Content-Length", "Transfer-Encoding",
    ]

    private let sink: TransportSink<[UInt8]>
    private let method: RequestMethod
    private let staleCursorFields: [RequestField]
    private var state = State.opening(nil)
    private var reading = Reading.flowing
    /// Read and not reported: behind a pause it waits.
    private var body: [UInt8] = []
    /// What follows the body, where its bytes say so.
    private var bodyEnd: CloseCause?

    init(
        _ request: EventStreamRequest, dial settings: DialSettings, headLimits: HTTPHeadLimits,
        on loop: EventLoop, sink: TransportSink<[UInt8]>
    ) {
        (self.sink, method) = (sink, request.method)
        staleCursorFields = request.staleCursorFields
        state = .opening(
            HTTPOpening(
                Self.head(of: request), body: request.body ?? [], to: request.url, dial: settings,
                limits: headLimits, on: loop
            ) { [self] in responded($0) })
    }

    func setReading(_ reading: Reading) {
        self.reading = reading
        guard case .open(let stream, _) = state else { return }
        guard reading == .flowing else { return stream.setReading(.paused) }
        // First what was read before the pause; no owner is told anything within its own call.
        stream.loop.putOff { [self] in
            reportBody()
            if mayReport { stream.setReading(.flowing) }
        }
    }

    func abort() {
        switch state {
        case .opening(let opening): opening?.cancel()
        case .open(let stream, _): stream.drop()
        case .ended: return
        }
        state = .ended
    }

    // MARK: The request and the response's head

    /// Source: HTML, 9.2.3.
    private static func head(of request: EventStreamRequest) -> HTTPRequestHead {
        var fields = HTTPFields()
        fields.append("Host", request.url.authority)
        fields.append("Accept", "text/event-stream")
        fields.append("Cache-Control", "no-cache")
        if let id = request.lastEventID, !id.isEmpty { fields.append("Last-Event-ID", id) }
        fields.append(contentsOf: HTTPFields(request.fields, without: ownFields))
        if let body = request.body { fields.append("Content-Length", String(body.count)) }
        return HTTPRequestHead(
            method: request.method.name, target: request.url.target, fields: fields)
    }

    private func responded(_ result: Result<HTTPOpening.Response, EndCause>) {
        switch result {
        case .failure(let end):
            self.end(end.cause)
        case .success(let response):
            if let cause = refusal(in: response.head) {
                response.stream.drop()
                return end(cause, retryAfter: response.head.retryDelay)
            }
            do {
                opened(response, try HTTPBodyFraming(of: response.head, to: method.name))
            } catch {
                response.stream.drop()
                end(.peerViolatedProtocol(code: CloseCode.protocolError.rawValue))
            }
        }
    }

    private func refusal(in head: HTTPResponseHead) -> CloseCause? {
        guard !staleCursorFields.contains(where: { head.fields[$0.name] == $0.value }) else {
            return .cursorTooOld
        }
        return switch head.status {
        case 200: Self.isEventStream(head.fields) ? nil : .wrongContentType
        case 204: .toldToStop
        default: .handshakeRefused(status: UInt16(clamping: head.status))
        }
    }

    /// Whether it is an event stream, with whatever parameters, and not in a coding for which we
    /// never asked. Source: HTML, 9.2.2.
    private static func isEventStream(_ fields: HTTPFields) -> Bool {
        let type = fields["Content-Type"]?.prefix { $0 != ";" && $0 != " " && $0 != "\t" }
        guard type?.lowercased() == "text/event-stream" else { return false }
        return fields.list(of: "Content-Encoding").allSatisfy { $0.lowercased() == "identity" }
    }

    private func opened(_ response: HTTPOpening.Response, _ framing: HTTPBodyFraming) {
        state = .open(response.stream, HTTPBodyDecoder(framing))
        response.stream.start(self)
        if reading == .paused { response.stream.setReading(.paused) }
        sink(.opened(subprotocol: nil))
        response.rest.withUnsafeBytes { stream(response.stream, received: $0) }
    }

    // MARK: The body

    func stream(_ stream: TCPStream, received bytes: UnsafeRawBufferPointer) {
        guard case .open(_, var decoder) = state else { return }
        do {
            _ = try decoder.append(bytes, into: &body)
            if decoder.isComplete { bodyEnd = .peerFinished }
        } catch {
            bodyEnd = Self.cause(of: error)
        }
        state = .open(stream, decoder)
        reportBody()
    }

    /// Reports what was read, as long as the owner takes it.
    private func reportBody() {
        if mayReport, !body.isEmpty {
            var bytes: [UInt8] = []
            swap(&bytes, &body)
            sink(.received(bytes))
        }
        // The report may have paused or ended this channel.
        guard mayReport, let bodyEnd, case .open(let stream, _) = state else { return }
        stream.close()
        end(bodyEnd)
    }

    /// Whether the owner takes reports now.
    private var mayReport: Bool {
        if case .open = state { reading == .flowing } else { false }
    }

    private static func cause(of error: ChunkedError) -> CloseCause {
        switch error.fault {
        case .overheadTooLong: .limitExceeded
        case .malformedSize, .sizeTooLarge, .malformedLineEnd:
            .peerViolatedProtocol(code: CloseCode.protocolError.rawValue)
        }
    }

    func streamEnded(_ stream: TCPStream) {
        guard case .open(_, let decoder) = state else { return }
        stream.close()
        end(decoder.isCutByClose ? .truncated : .peerFinished)
    }

    func streamClosed(_ stream: TCPStream, error: SocketError?) {
        end(EndCause(error).cause)
    }

    private func end(_ cause: CloseCause, retryAfter: Milliseconds? = nil) {
        if case .ended = state { return }
        state = .ended
        sink(.ended(cause, retryAfter: retryAfter))
    }
}
