import BelayCore
import BelayTCP
import BelayTransport
import BelayWire

/// Echoes messages, answers pings and Close, and pushes what the query asked for.
final class WebSocketSession: EndpointSession {
    /// The longest header of a frame that is not masked.
    private static let headerBytes = 10

    private unowned let connection: EndpointConnection
    private var decoder: MessageDecoder
    /// nil if the client did not offer it.
    private let compression: MessageCompression?
    private var pings = 0
    private var pongs = 0
    private var messages = 0
    private var isCloseSent = false
    private var isCloseReceived = false
    /// What is to be pushed; few ask for it, and every idle connection would hold its numbers.
    private var push: MessagePush?
    /// Of the next push, or of the client's Close.
    private var timer: LoopTimer?

    init(
        _ connection: EndpointConnection, _ options: RequestOptions,
        _ agreement: PermessageDeflate?
    ) {
        self.connection = connection
        let limits = connection.core.limits
        compression = agreement.flatMap { agreement in
            limits.compression.map {
                MessageCompression(agreement, role: .server, policy: $0)
            }
        }
        decoder = MessageDecoder(
            role: .server, limits: limits.webSocket,
            compression: compression == nil ? .none : .negotiated)
        if options.messageCount > 0 {
            push = MessagePush(count: options.messageCount, interval: options.interval)
        }
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
        var next = 0
        while next < elements.count, !isCloseReceived, !connection.isOver {
            next += echoPlainMessages(elements[next...])
            guard next < elements.count else { break }
            take(elements[next])
            next += 1
        }
        connection.core.giveBack(&elements)
        if let violation, !isCloseReceived, !connection.isOver { fail(violation.fault) }
        if !connection.isWritable { connection.setReading(.paused) }
    }

    func drained() {
        connection.setReading(.flowing)
        if push?.interval == 0 { pushMessages() }
    }

    /// With or without a Close: nobody is there to talk to.
    func peerEnded() {
        connection.finish()
    }

    func closeSent() {
        isCloseSent = true
        push = nil
        if isCloseReceived { return connection.finish() }
        let timer = LoopTimer(on: connection.core.loop) { [unowned self] in connection.finish() }
        let core = connection.core
        timer.arm(at: core.loop.now.moved(by: core.limits.closeTimeout))
        self.timer = timer
    }

    /// Echoes the messages in front that no fault can strike, in one call; answers how many.
    ///
    /// What a client pipelines comes in one read, and a call for each would be half the cost.
    private func echoPlainMessages(_ elements: ArraySlice<MessageAssembler.Element>) -> Int {
        let connection = connection
        guard !isCloseSent, compression == nil, connection.isPlain(.message) else { return 0 }
        var echoed = 0
        var byteCount = 0
        for case .message(let message) in elements.prefix(while: Self.isMessage) {
            echoed += 1
            byteCount += message.payload.count
        }
        guard echoed > 0 else { return 0 }
        connection.write { output in
            output.reserveCapacity(output.count + byteCount + echoed * Self.headerBytes)
            for case .message(let message) in elements.prefix(echoed) {
                let count = message.payload.count
                connection.record(.messageReceived(byteCount: count))
                message.payload.withUnsafeBytes {
                    FrameEncoder.append(message.opcode, $0, maskedWith: nil, to: &output)
                }
                connection.record(.messageSent(byteCount: count))
            }
        }
        messages += echoed
        return echoed
    }

    private static func isMessage(_ element: MessageAssembler.Element) -> Bool {
        if case .message = element { true } else { false }
    }

    private func take(_ element: MessageAssembler.Element) {
        switch element {
        case .message(let message): echo(message)
        case .ping(let payload): answerPing(payload)
        case .pong:
            pongs += 1
            connection.record(.pongReceived(pongs))
        case .close(let frame): answerClose(frame)
        }
    }

    private func echo(_ sent: AssembledMessage) {
        let message: AssembledMessage
        do throws(WebSocketViolation.Fault) {
            let limit = connection.core.limits.webSocket.messageBytes
            message = try compression?.inflate(sent, limit: limit) ?? sent
        } catch {
            return fail(error)
        }
        messages += 1
        let count = message.payload.count
        connection.record(.messageReceived(byteCount: count))
        guard !isCloseSent else { return }
        connection.say(
            encoded(message), at: Moment(.message, messages),
            note: .messageSent(byteCount: count))
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
    private func fail(_ fault: WebSocketViolation.Fault) {
        let code = fault.closeCode
        connection.record(.violation(code: code.rawValue))
        isCloseReceived = true
        guard !isCloseSent else { return connection.finish() }
        let payload = CloseFrame(code: code)?.payload ?? []
        connection.say(Self.encoded(.close, payload), note: .closeSent(code: code.rawValue))
    }

    private func pushMessages() {
        while let push, !connection.isMuted, connection.isWritable {
            let message = AssembledMessage(String(push.next))
            connection.say(
                encoded(message), note: .messageSent(byteCount: message.payload.count))
            push.next += 1
            if push.next > push.count { self.push = nil }
            if push.interval > 0 { break }
        }
        guard let push, push.interval > 0, !connection.isMuted else { return }
        let timer =
            timer ?? LoopTimer(on: connection.core.loop) { [unowned self] in pushMessages() }
        timer.arm(at: connection.core.loop.now.moved(by: push.interval))
        self.timer = timer
    }

    private func encoded(_ message: AssembledMessage) -> [UInt8] {
        let compressed = message.payload.withUnsafeBytes { compression?.deflate($0) }
        return Self.encoded(
            message.opcode, compressed ?? message.payload, isCompressed: compressed != nil)
    }

    private static func encoded(
        _ opcode: Opcode, _ payload: [UInt8], isCompressed: Bool = false
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        let frame = Frame(opcode, payload, isCompressed: isCompressed)
        FrameEncoder.append(frame, maskedWith: nil, to: &bytes)
        return bytes
    }
}

/// Messages that nobody asked for one by one.
private final class MessagePush {
    /// The next one's number.
    var next = 1
    let count: Int
    /// From one to the next.
    let interval: Milliseconds

    init(count: Int, interval: Milliseconds) {
        self.count = count
        self.interval = interval
    }
}

extension AssembledMessage {
    fileprivate var opcode: Opcode { kind == .text ? .text : .binary }
}
