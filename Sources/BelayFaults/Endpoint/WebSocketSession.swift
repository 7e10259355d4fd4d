import BelayCore
import BelayTCP
import BelayTransport
import BelayWire

/// Echoes messages, answers pings and Close, and pushes what the query asked for.
///
/// Thousands may be idle, so it holds what all of them need. The connection is passed in; what is
/// only there at times, or for few, stands in `Extras`.
final class WebSocketSession {
    /// What a connection between two messages mostly has not.
    private final class Extras {
        /// A message is half here. Anew for each: nothing outlives a message but the closing.
        var decoder: MessageDecoder?
        /// What was agreed on, if the client offered it.
        var compression: MessageCompression?
        /// What is to be pushed.
        var push: MessagePush?
        /// Of the next push, or of the client's Close.
        var timer: LoopTimer?
        /// Answers to pings that a fault had sent.
        var pongs = 0
        var isCloseSent = false
        var isCloseReceived = false

        /// Whether nothing of it is needed.
        var isEmpty: Bool {
            decoder == nil && compression == nil && push == nil && pongs == 0 && !isCloseSent
                && !isCloseReceived
        }
    }

    /// The longest header of a frame that is not masked.
    private static let headerBytes = 10

    private var pings = 0
    private var messages = 0
    private var extras: Extras?

    init(_ options: RequestOptions, _ agreement: PermessageDeflate?, limits: EndpointLimits) {
        if let agreement, let policy = limits.compression {
            ensureExtras().compression = MessageCompression(
                agreement, role: .server, policy: policy)
        }
        if options.messageCount > 0 {
            ensureExtras().push = MessagePush(
                count: options.messageCount, interval: options.interval)
        }
    }

    func begin(on connection: EndpointConnection) {
        pushMessages(on: connection)
    }

    /// The next bytes, valid during the call.
    func received(_ bytes: UnsafeRawBufferPointer, on connection: EndpointConnection) {
        guard !isCloseReceived else { return }
        let rest = echoWholeMessages(bytes, on: connection)
        if !rest.isEmpty { takeElements(rest, on: connection) }
        if !connection.isWritable { connection.setReading(.paused) }
    }

    private func takeElements(_ bytes: UnsafeRawBufferPointer, on connection: EndpointConnection) {
        var elements = connection.core.takeElements()
        let violation = decode(bytes, into: &elements, connection.core.limits.webSocket)
        var next = 0
        while next < elements.count, !isCloseReceived, !connection.isOver {
            next += echoPlainMessages(elements[next...], on: connection)
            guard next < elements.count else { break }
            take(elements[next], on: connection)
            next += 1
        }
        connection.core.giveBack(&elements)
        if let violation, !isCloseReceived, !connection.isOver {
            fail(violation.fault, on: connection)
        }
    }

    /// There is room again for messages.
    func drained(on connection: EndpointConnection) {
        connection.setReading(.flowing)
        if extras?.push?.interval == 0 { pushMessages(on: connection) }
    }

    /// A Close frame has left.
    func closeSent(on connection: EndpointConnection) {
        let extras = ensureExtras()
        extras.isCloseSent = true
        extras.push = nil
        if isCloseReceived { return connection.finish() }
        let core = connection.core
        let timer = LoopTimer(on: core.loop) { [unowned connection] in connection.finish() }
        timer.arm(at: core.loop.now.moved(by: core.limits.closeTimeout))
        extras.timer = timer
    }

    private var isCloseSent: Bool { extras?.isCloseSent == true }

    private var isCloseReceived: Bool { extras?.isCloseReceived == true }

    private func ensureExtras() -> Extras {
        let extras = extras ?? Extras()
        self.extras = extras
        return extras
    }

    /// Appends what the bytes complete, and keeps what they begin.
    private func decode(
        _ bytes: UnsafeRawBufferPointer, into elements: inout [MessageAssembler.Element],
        _ limits: WebSocketLimits
    ) -> WebSocketViolation? {
        var decoder =
            extras?.decoder
            ?? MessageDecoder(
                role: .server, limits: limits,
                compression: extras?.compression == nil ? .none : .negotiated)
        // Taken out while it grows: two owners would make a copy of what it holds.
        extras?.decoder = nil
        do {
            try decoder.append(bytes, into: &elements)
        } catch {
            return error
        }
        if !decoder.isBetweenMessages {
            ensureExtras().decoder = decoder
        } else if extras?.isEmpty == true {
            extras = nil
        }
        return nil
    }

    /// Echoes the messages in front that are whole and that no fault can strike, from where they
    /// lie to where they leave from. Answers what else there is.
    private func echoWholeMessages(
        _ bytes: UnsafeRawBufferPointer, on connection: EndpointConnection
    ) -> UnsafeRawBufferPointer {
        // With extras a message is half here, or messages are not what they seem.
        guard extras == nil, connection.isPlain(.message) else { return bytes }
        let decoder = MessageDecoder(role: .server, limits: connection.core.limits.webSocket)
        guard decoder.wholeMessage(at: bytes) != nil else { return bytes }
        var rest = bytes
        connection.write { output in
            while let message = decoder.wholeMessage(at: rest),
                FrameEncoder.append(message, to: &output)
            {
                connection.record(.messageReceived(byteCount: message.payloadCount))
                connection.record(.messageSent(byteCount: message.payloadCount))
                messages += 1
                rest = UnsafeRawBufferPointer(rebasing: rest[message.byteCount...])
            }
        }
        return rest
    }

    /// Echoes the messages in front that no fault can strike, in one call; answers how many.
    ///
    /// What a client pipelines comes in one read, and a call for each would be half the cost.
    private func echoPlainMessages(
        _ elements: ArraySlice<MessageAssembler.Element>, on connection: EndpointConnection
    ) -> Int {
        guard !isCloseSent, extras?.compression == nil, connection.isPlain(.message) else {
            return 0
        }
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

    private func take(_ element: MessageAssembler.Element, on connection: EndpointConnection) {
        switch element {
        case .message(let message): echo(message, on: connection)
        case .ping(let payload): answerPing(payload, on: connection)
        case .pong:
            let extras = ensureExtras()
            extras.pongs += 1
            connection.record(.pongReceived(extras.pongs))
        case .close(let frame): answerClose(frame, on: connection)
        }
    }

    private func echo(_ sent: AssembledMessage, on connection: EndpointConnection) {
        let message: AssembledMessage
        do throws(WebSocketViolation.Fault) {
            let limit = connection.core.limits.webSocket.messageBytes
            message = try extras?.compression?.inflate(sent, limit: limit) ?? sent
        } catch {
            return fail(error, on: connection)
        }
        messages += 1
        let count = message.payload.count
        connection.record(.messageReceived(byteCount: count))
        guard !isCloseSent else { return }
        connection.say(
            encoded(message), at: Moment(.message, messages),
            note: .messageSent(byteCount: count))
    }

    private func answerPing(_ payload: [UInt8], on connection: EndpointConnection) {
        pings += 1
        connection.record(.pingReceived(pings))
        guard !isCloseSent else { return }
        connection.say(
            Self.encoded(.pong, payload), at: Moment(.ping, pings), note: .pongSent(pings))
    }

    private func answerClose(_ frame: CloseFrame, on connection: EndpointConnection) {
        ensureExtras().isCloseReceived = true
        connection.record(.closeReceived(code: frame.code?.rawValue))
        guard !isCloseSent else { return connection.finish() }
        // The code comes back without the reason, which was meant for us.
        let payload = frame.code.flatMap { CloseFrame(code: $0) }?.payload ?? []
        connection.say(
            Self.encoded(.close, payload), at: Moment(.close),
            note: .closeSent(code: frame.code?.rawValue))
    }

    /// *Fails the connection* (RFC 6455 §7.1.7).
    private func fail(_ fault: WebSocketViolation.Fault, on connection: EndpointConnection) {
        let code = fault.closeCode
        connection.record(.violation(code: code.rawValue))
        ensureExtras().isCloseReceived = true
        guard !isCloseSent else { return connection.finish() }
        let payload = CloseFrame(code: code)?.payload ?? []
        connection.say(Self.encoded(.close, payload), note: .closeSent(code: code.rawValue))
    }

    private func pushMessages(on connection: EndpointConnection) {
        while let push = extras?.push, !connection.isMuted, connection.isWritable {
            let message = AssembledMessage(String(push.next))
            connection.say(
                encoded(message), note: .messageSent(byteCount: message.payload.count))
            push.next += 1
            if push.next > push.count { extras?.push = nil }
            if push.interval > 0 { break }
        }
        guard let extras, let push = extras.push, push.interval > 0, !connection.isMuted else {
            return
        }
        let timer =
            extras.timer
            ?? LoopTimer(on: connection.core.loop) { [unowned self, unowned connection] in
                pushMessages(on: connection)
            }
        timer.arm(at: connection.core.loop.now.moved(by: push.interval))
        extras.timer = timer
    }

    private func encoded(_ message: AssembledMessage) -> [UInt8] {
        let compressed = message.payload.withUnsafeBytes { extras?.compression?.deflate($0) }
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
