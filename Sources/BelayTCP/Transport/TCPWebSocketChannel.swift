import BelayCore
import BelayTransport
import BelayWire

/// One WebSocket connection of one generation, from its opening handshake to its end.
///
/// Everything that is reported passes `report`, and the end passes `end`: once, and last.
final class TCPWebSocketChannel: WebSocketChannel, TCPStreamDelegate {
    private enum State {
        /// The connection or the response is awaited. `nil` only inside `init`.
        case opening(HTTPOpening?)
        case open(TCPStream)
        /// Our Close frame was written; the peer's is awaited, then its FIN.
        case closing(TCPStream, isAnswered: Bool)
        case ended
    }

    private let handshake: OpeningHandshake.Request
    private let limits: WebSocketLimits
    /// What compression was offered by; nil if it was not.
    private let policy: PermessageDeflate.Policy?
    private let chance: @Sendable () -> UInt64
    private let sink: TransportSink<WebSocketMessage>
    private var state = State.opening(nil)
    private var reading = Reading.flowing
    private var decoder: MessageDecoder
    /// nil if the server did not agree.
    private var compression: MessageCompression?
    private var pings: OutstandingPings
    private var handovers = Handovers()
    /// Read and not reported: behind a pause it waits.
    private var unreported: ArraySlice<MessageAssembler.Element> = []
    /// What the peer did wrong behind that.
    private var violation: WebSocketViolation?
    /// The newest ping that waits for its pong, while the peer does not read what we send. The
    /// older ones need none (RFC 6455 §5.5.3), so a flood of pings cannot fill the buffer.
    private var owedPong: [UInt8]?
    private(set) var closeFrames = CloseFrames()

    init(
        _ request: WebSocketRequest, dial settings: DialSettings, limits: WebSocketLimits,
        compression policy: PermessageDeflate.Policy?, headLimits: HTTPHeadLimits,
        chance: @escaping @Sendable () -> UInt64, on loop: EventLoop,
        sink: TransportSink<WebSocketMessage>
    ) {
        let (first, second) = (chance(), chance())
        let nonce = [first, second].flatMap { half in
            (0..<8).map { UInt8(truncatingIfNeeded: half >> ($0 * 8)) }
        }
        handshake = OpeningHandshake.Request(
            nonce: nonce, target: request.url.target, host: request.url.authority,
            subprotocols: request.subprotocols, extensions: policy.map { [$0.offer.named] } ?? [],
            fields: HTTPFields(request.fields, without: []))
        decoder = MessageDecoder(role: .client, limits: limits)
        pings = OutstandingPings(mark: UInt32(truncatingIfNeeded: chance()))
        (self.limits, self.policy, self.chance, self.sink) = (limits, policy, chance, sink)
        do throws(UnsendableRequest) {
            try request.check()
        } catch {
            let cause = CloseCause.requestInvalid(error.part)
            loop.putOff { [self] in end(cause) }
            return
        }
        state = .opening(
            HTTPOpening(
                handshake.head, to: request.url, dial: settings, limits: headLimits, on: loop
            ) { [self] in responded($0) })
    }

    // MARK: Orders

    func send(_ message: WebSocketMessage, number: UInt64) {
        guard case .open(let stream) = state else { return }
        let end = stream.write(encodedBy: { output in
            switch message {
            case .text(var text):
                text.withUTF8 { append(message: .text, UnsafeRawBufferPointer($0), to: &output) }
            case .binary(let bytes):
                bytes.withUnsafeBytes { append(message: .binary, $0, to: &output) }
            }
        })
        handovers.append(.message(number), endingAt: end)
    }

    func ping(_ number: UInt32) {
        guard case .open(let stream) = state else { return }
        let end = write(.ping, pings.payload(for: number), on: stream)
        handovers.append(.ping(number), endingAt: end)
    }

    func close(code: UInt16, reason: String) {
        guard case .open(let stream) = state else { return }
        // A code that may not travel, as 1005, stands for none.
        let frame = CloseFrame(code: CloseCode(rawValue: code), reason: reason) ?? .empty
        write(frame, on: stream)
        state = .closing(stream, isAnswered: false)
        // The peer's Close must be seen, whatever the application's pace was.
        resume(stream)
    }

    func setReading(_ reading: Reading) {
        self.reading = reading
        guard case .open(let stream) = state else { return }
        guard reading == .flowing else { return stream.setReading(.paused) }
        resume(stream)
    }

    /// First what was read before the pause; no owner is told anything within its own call.
    private func resume(_ stream: TCPStream) {
        stream.loop.putOff { [self] in
            takeUnreported()
            if mayReport { stream.setReading(.flowing) }
        }
    }

    func abort() {
        switch state {
        case .opening(let opening): opening?.cancel()
        case .open(let stream), .closing(let stream, _): stream.drop()
        case .ended: return
        }
        state = .ended
    }

    // MARK: The opening handshake

    private func responded(_ result: Result<HTTPOpening.Response, EndCause>) {
        switch result {
        case .failure(let end):
            self.end(end.cause, retryAfter: end.retryAfter)
        case .success(let response):
            do throws(OpeningHandshake.ResponseFault) {
                let agreement = try handshake.check(response.head)
                try agreeOnCompression(answer: agreement.extensions)
                opened(response, agreement)
            } catch {
                response.stream.drop()
                end(Self.cause(of: error), retryAfter: response.head.retryDelay)
            }
        }
    }

    private func agreeOnCompression(
        answer: [WebSocketExtension]
    ) throws(OpeningHandshake.ResponseFault) {
        guard let policy else { return }
        do throws(PermessageDeflate.Fault) {
            guard let agreed = try policy.offer.agreement(answeredBy: answer) else { return }
            compression = MessageCompression(agreed, role: .client, policy: policy)
            decoder = MessageDecoder(role: .client, limits: limits, compression: .negotiated)
        } catch {
            throw .compressionMalformed(error)
        }
    }

    private func opened(
        _ response: HTTPOpening.Response, _ agreement: OpeningHandshake.Agreement
    ) {
        state = .open(response.stream)
        response.stream.start(self)
        if reading == .paused { response.stream.setReading(.paused) }
        sink(.opened(subprotocol: agreement.subprotocol))
        response.rest.withUnsafeBytes { stream(response.stream, received: $0) }
    }

    private static func cause(of fault: OpeningHandshake.ResponseFault) -> CloseCause {
        switch fault {
        case .status(let status):
            .handshakeRefused(status: UInt16(clamping: status))
        case .version, .upgradeMissing, .connectionMissing, .acceptMissing, .acceptRepeated,
            .acceptWrong, .subprotocolRepeated, .subprotocolNotOffered, .extensionsMalformed,
            .extensionNotOffered, .compressionMalformed:
            // A 101 that does not hold: there is no WebSocket to send a Close frame on.
            .peerViolatedProtocol(code: CloseCode.protocolError.rawValue)
        }
    }

    // MARK: What the stream reports

    func stream(_ stream: TCPStream, received bytes: UnsafeRawBufferPointer) {
        var elements: [MessageAssembler.Element] = []
        do {
            try decoder.append(bytes, into: &elements)
        } catch {
            violation = error
        }
        // Nothing was left: a stream is read on when all before was reported.
        unreported = elements[...]
        takeUnreported()
        if case .open = state, mayReport, decoder.isInsideFrame { report(.partlyReceived) }
    }

    /// Takes what was read, as long as its reports are taken: any may pause or end this channel.
    private func takeUnreported() {
        while mayReport, let element = unreported.popFirst() { take(element) }
        guard mayReport else { return }
        unreported = []  // Its memory too.
        // What was whole before the fault counts.
        if let violation { fail(violation.fault) }
    }

    /// Whether reports are taken now. A closing handshake waits for nobody's pace.
    private var mayReport: Bool {
        switch state {
        case .open: reading == .flowing
        case .closing: true
        case .opening, .ended: false
        }
    }

    func stream(_ stream: TCPStream, gave count: UInt64) {
        while let item = handovers.next(given: count) {
            switch item {
            case .message(let number): report(.sent(number))
            case .ping(let number): report(.pingHandedOver(number))
            }
        }
    }

    func streamDrained(_ stream: TCPStream) {
        guard let owedPong, case .open(let stream) = state else { return }
        self.owedPong = nil
        write(.pong, owedPong, on: stream)
    }

    func streamEnded(_ stream: TCPStream) {
        endOfTCP(.peerVanished)
        stream.close()
    }

    func streamClosed(_ stream: TCPStream, error: SocketError?) {
        endOfTCP(EndCause(error).cause)
    }

    /// Behind a whole closing handshake it does not matter how TCP ended, nor whether a
    /// close_notify is missing: it could hide nothing. Source: RFC 6455 §7.1.4.
    private func endOfTCP(_ cause: CloseCause) {
        if case .closing(_, isAnswered: true) = state { return end(.closedLocally) }
        end(cause)
    }

    // MARK: What the peer says

    private func take(_ element: MessageAssembler.Element) {
        switch element {
        case .message(let message): received(message)
        case .ping(let payload): answer(payload)
        case .pong(let payload):
            let number = pings.number(answeredBy: payload)
            report(number.map { .pong($0) } ?? .unsolicitedPong)
        case .close(let frame): peerClosed(frame)
        }
    }

    private func received(_ message: AssembledMessage) {
        do throws(WebSocketViolation.Fault) {
            let limit = limits.messageBytes
            let inflated = try compression?.inflate(message, limit: limit) ?? message
            report(.received(Self.ported(inflated)))
        } catch {
            fail(error)
        }
    }

    private func answer(_ payload: [UInt8]) {
        // After our Close frame nothing follows (RFC 6455 §5.5.1).
        guard case .open(let stream) = state else { return }
        if stream.isWritable {
            write(.pong, payload, on: stream)
        } else {
            owedPong = payload
        }
    }

    private func peerClosed(_ frame: CloseFrame) {
        let code = frame.code ?? .noStatusReceived
        closeFrames.received = CloseFrames.Received(
            code: code.rawValue, reasonLength: frame.reason.utf8.count)
        switch state {
        case .open(let stream):
            write(frame, on: stream)
            // The server is to end TCP first (RFC 6455 §7.1.1); the stream bounds that wait.
            stream.close(.afterPeer)
            end(.peerClosed(code: code.rawValue))
        case .closing(let stream, isAnswered: _):
            state = .closing(stream, isAnswered: true)
        case .opening, .ended:
            return
        }
    }

    /// *Fails the connection*: Close frame, FIN, no more reading. Source: RFC 6455 §7.1.7.
    private func fail(_ fault: WebSocketViolation.Fault) {
        if case .closeCodeNotAllowed(let code) = fault {
            // It came, and says which peer is broken, or what garbled it.
            closeFrames.received = CloseFrames.Received(code: code.rawValue)
        }
        switch state {
        case .open(let stream):
            let frame = CloseFrame(code: fault.closeCode) ?? .empty
            write(frame, on: stream)
            stream.close()
        case .closing(let stream, isAnswered: _):
            stream.close()
        case .opening, .ended:
            return
        }
        switch fault {
        case .frameTooLong, .messageTooLong, .tooManyFragments:
            end(.limitExceeded)
        default:
            end(.peerViolatedProtocol(code: fault.closeCode.rawValue))
        }
    }

    private static func ported(
        _ message: AssembledMessage
    ) -> WebSocketMessage {
        switch message.kind {
        case .text: .text(message.text)
        case .binary: .binary(message.payload)
        }
    }

    // MARK: Writing and reporting

    @discardableResult
    private func write(_ opcode: Opcode, _ payload: [UInt8], on stream: TCPStream) -> UInt64 {
        stream.write(encodedBy: { output in
            payload.withUnsafeBytes { append(opcode, $0, to: &output) }
        })
    }

    private func write(_ frame: CloseFrame, on stream: TCPStream) {
        closeFrames.sentCode = (frame.code ?? .noStatusReceived).rawValue
        write(.close, frame.payload, on: stream)
    }

    private func append(
        message opcode: Opcode, _ payload: UnsafeRawBufferPointer, to output: inout [UInt8]
    ) {
        guard let compressed = compression?.deflate(payload) else {
            return append(opcode, payload, to: &output)
        }
        compressed.withUnsafeBytes { append(opcode, $0, isCompressed: true, to: &output) }
    }

    private func append(
        _ opcode: Opcode, _ payload: UnsafeRawBufferPointer, isCompressed: Bool = false,
        to output: inout [UInt8]
    ) {
        let key = MaskingKey(UInt32(truncatingIfNeeded: chance()))
        FrameEncoder.append(
            opcode, payload, isCompressed: isCompressed, maskedWith: key, to: &output)
    }

    private func report(_ event: TransportEvent<WebSocketMessage>) {
        if case .ended = state { return }
        sink(event)
    }

    private func end(_ cause: CloseCause, retryAfter: Milliseconds? = nil) {
        if case .ended = state { return }
        state = .ended
        sink(.ended(cause, retryAfter: retryAfter))
    }
}
