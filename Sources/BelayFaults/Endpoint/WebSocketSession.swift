import BelayCore
import BelayTCP
import BelayWire

/// Echoes messages, answers pings and Close, and pushes what the query asked for.
final class WebSocketSession: EndpointSession {
    private unowned let connection: EndpointConnection
    private var decoder: MessageDecoder
    private var pings = 0
    private var messages = 0
    private var isCloseSent = false
    private var isCloseReceived = false
    /// Messages still to be pushed, the next one's number, and the pause between them.
    private var push: (next: Int, count: Int, interval: Milliseconds)?
    private var timer: LoopTimer?

    init(_ connection: EndpointConnection, _ options: RequestOptions) {
        self.connection = connection
        decoder = MessageDecoder(role: .server, limits: connection.core.limits.webSocket)
        if options.messageCount > 0 { push = (1, options.messageCount, options.interval) }
    }

    func begin() {
        pushMessages()
    }

    func received(_ bytes: UnsafeRawBufferPointer) {
        guard !isCloseReceived else { return }
        var elements = connection.core.takeElements()
        var violation: WebSocketViolation?
        do {
            try decoder.append(bytes, into: &elements)
        } catch {
            violation = error
        }
        for element in elements where !isCloseReceived { take(element) }
        connection.core.giveBack(&elements)
        if let violation, !isCloseReceived { fail(violation) }
        if !connection.isWritable { connection.pauseReading() }
    }

    func drained() {
        connection.resumeReading()
        if push?.interval == 0 { pushMessages() }
    }

    /// With or without a Close: nobody is there to talk to.
    func peerEnded() {
        connection.finish()
    }

    func sent(_ note: EndpointEntry.Event) {
        guard case .closeSent = note else { return }
        isCloseSent = true
        push = nil
        if isCloseReceived { return connection.finish() }
        let timer = LoopTimer(on: connection.core.loop) { [unowned self] in connection.finish() }
        let core = connection.core
        timer.arm(at: core.loop.now.moved(by: core.limits.closeTimeout))
        self.timer = timer
    }

    private func take(_ element: MessageAssembler.Element) {
        switch element {
        case .message(let message): echo(message)
        case .ping(let payload): answerPing(payload)
        case .pong: return  // Unasked: the endpoint sends no pings.
        case .close(let frame): answerClose(frame)
        }
    }

    private func echo(_ message: WebSocketMessage) {
        messages += 1
        let count = message.payload.count
        connection.record(.messageReceived(byteCount: count))
        guard !isCloseSent else { return }
        let opcode: Opcode = message.kind == .text ? .text : .binary
        guard connection.isPlain(.message) else {
            return connection.say(
                Self.encoded(opcode, message.payload), at: Moment(.message, messages),
                note: .messageSent(byteCount: count))
        }
        connection.write { output in
            message.payload.withUnsafeBytes {
                FrameEncoder.append(opcode, $0, maskedWith: nil, to: &output)
            }
        }
        connection.record(.messageSent(byteCount: count))
    }

    private func answerPing(_ payload: [UInt8]) {
        pings += 1
        connection.record(.pingReceived(pings))
        guard !isCloseSent else { return }
        connection.say(
            Self.encoded(.pong, payload), at: Moment(.ping, pings), note: .pongSent(pings))
    }

    private func answerClose(_ frame: CloseFrame) {
        isCloseReceived = true
        connection.record(.closeReceived(code: frame.code?.rawValue))
        guard !isCloseSent else { return connection.finish() }
        // The code comes back without the reason, which was meant for us.
        let payload = frame.code.flatMap { CloseFrame(code: $0) }?.payload ?? []
        connection.say(
            Self.encoded(.close, payload), at: Moment(.close),
            note: .closeSent(code: frame.code?.rawValue))
    }

    /// *Fails the connection* (RFC 6455 §7.1.7).
    private func fail(_ violation: WebSocketViolation) {
        let code = violation.closeCode
        connection.record(.violation(code: code.rawValue))
        isCloseReceived = true
        guard !isCloseSent else { return connection.finish() }
        let payload = CloseFrame(code: code)?.payload ?? []
        connection.say(Self.encoded(.close, payload), note: .closeSent(code: code.rawValue))
    }

    private func pushMessages() {
        while var push, !connection.isMuted, connection.isWritable {
            let text = Array(String(push.next).utf8)
            connection.say(
                Self.encoded(.text, text), note: .messageSent(byteCount: text.count))
            push.next += 1
            self.push = push.next <= push.count ? push : nil
            if push.interval > 0 { break }
        }
        guard let push, push.interval > 0, !connection.isMuted else { return }
        let timer =
            timer ?? LoopTimer(on: connection.core.loop) { [unowned self] in pushMessages() }
        timer.arm(at: connection.core.loop.now.moved(by: push.interval))
        self.timer = timer
    }

    private static func encoded(_ opcode: Opcode, _ payload: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        FrameEncoder.append(Frame(opcode, payload), maskedWith: nil, to: &bytes)
        return bytes
    }
}
