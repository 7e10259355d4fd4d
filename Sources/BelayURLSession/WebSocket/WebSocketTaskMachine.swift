import BelayCore
import BelayTransport

/// Decides what the reports of one WebSocket task mean, and what to ask of it next.
///
/// One death is told up to four times: by the delegate's close and completion, and by whatever was
/// under way, in no order that can be relied on. The machine ends the generation once, and asks
/// for the session's invalidation once, also where the task never opened.
struct WebSocketTaskMachine: Hashable, Sendable {
    enum Input: Hashable, Sendable {
        // From the task.
        case opened(subprotocol: String?)
        case received(WebSocketMessage)
        case receiveFailed(SessionFailure)
        case sent(UInt64)
        case sendFailed(SessionFailure)
        case pongReceived(UInt32)
        case pingFailed(SessionFailure)
        case peerClosed(code: UInt16, reasonLength: Int)
        case completed(SessionCompletion)
        // From the channel and its owner.
        case pingStarted(UInt32)
        /// The last report was taken, or the owner's pace changed.
        case readOn
        case sendOrdered(WebSocketMessage, number: UInt64)
        case pingOrdered(UInt32)
        case closeOrdered(code: UInt16, reason: String)
        case readingSet(Reading)
        case abortOrdered
        case deadlineReached
    }

    enum Action: Hashable, Sendable {
        // For the task.
        case receive
        case send(WebSocketMessage, number: UInt64)
        case ping(UInt32)
        case close(code: UInt16, reason: String)
        case invalidate
        // For the owner.
        case reportOpened(subprotocol: String?)
        case deliver(WebSocketMessage)
        case reportSent(UInt64)
        case reportPingHandedOver(UInt32)
        case reportPong(UInt32)
        case reportEnd(CloseCause, retryAfter: Milliseconds?)
    }

    private enum State: Hashable {
        /// The opening handshake is under way.
        case opening
        case open
        /// Something failed. What else comes of the same death may tell more; at `deadline` this
        /// failure is the cause.
        case failing(SessionFailure, deadline: Milliseconds)
        /// The peer's Close frame came. Messages before it are still taken, until taking one fails
        /// or none comes for a while; the owner's pause has no deadline.
        case closedByPeer(code: UInt16, deadline: Milliseconds?)
        /// Our Close frame was sent. The owner keeps the deadline.
        case closing(isAnswered: Bool)
        /// The task is over; a message waits for the owner, and the end behind it.
        case finished(CloseCause)
        case ended
    }

    /// What is under way between the task's messages and the owner. At most one is here.
    private enum Intake: Hashable {
        case idle
        case receiving
        case held(WebSocketMessage)
        /// Taking one failed: there are no more.
        case exhausted
    }

    /// For how many milliseconds the reports of one death may lie apart. They come in one burst;
    /// a second is long for that and short beside any heartbeat.
    static let grace: Milliseconds = 1_000

    private let subprotocols: [String]
    private let messageLimit: Int
    private var state = State.opening
    private var intake = Intake.idle
    private var reading = Reading.flowing
    private var sends = SentMessages()
    private var pings = SerialPings()
    /// The Close frames that travelled, as far as the session shows them.
    private(set) var frames = CloseFrames()

    /// A task that was asked for `subprotocols` and takes messages up to a limit in bytes.
    init(subprotocols: [String], messageLimit: Int) {
        (self.subprotocols, self.messageLimit) = (subprotocols, messageLimit)
    }

    /// Whether the session was asked to end.
    var isOver: Bool {
        switch state {
        case .finished, .ended: true
        case .opening, .open, .failing, .closedByPeer, .closing: false
        }
    }

    /// When to call with `deadlineReached`.
    var nextDeadline: Milliseconds? {
        switch state {
        case .failing(_, let deadline): deadline
        case .closedByPeer(_, let deadline): deadline
        case .opening, .open, .closing, .finished, .ended: nil
        }
    }

    /// Takes one input; the actions are to be carried out in their order.
    mutating func handle(_ input: Input, now: Milliseconds) -> [Action] {
        switch input {
        case .opened(let subprotocol): opened(subprotocol)
        case .received(let message): received(message, now: now)
        case .receiveFailed(let failure): receiveFailed(failure, now: now)
        case .sent(let number): sent(number)
        case .sendFailed(let failure): failed(failure, now: now)
        case .pongReceived(let number): pongReceived(number)
        case .pingFailed(let failure): failed(failure, now: now)
        case .peerClosed(let code, let length): peerClosed(code, length, now: now)
        case .completed(let completion): completed(completion)
        case .pingStarted(let number): isOver ? [] : [.reportPingHandedOver(number)]
        case .readOn: readOn()
        case .sendOrdered(let message, let number): sendOrdered(message, number)
        case .pingOrdered(let number): pingOrdered(number)
        case .closeOrdered(let code, let reason): closeOrdered(code, reason)
        case .readingSet(let reading): readingSet(reading, now: now)
        case .abortOrdered: abortOrdered()
        case .deadlineReached: deadlineReached(now: now)
        }
    }
}

// MARK: - What the task says

extension WebSocketTaskMachine {
    private mutating func opened(_ subprotocol: String?) -> [Action] {
        guard case .opening = state else { return [] }  // Repeated, or after the end.
        state = .open
        if let subprotocol, !subprotocols.contains(subprotocol) {
            // Source: RFC 6455 §4.1.
            return fail(.peerViolatedProtocol(code: 1_002), code: 1_002)
        }
        return [.reportOpened(subprotocol: subprotocol)]
    }

    private mutating func received(_ message: WebSocketMessage, now: Milliseconds) -> [Action] {
        guard case .receiving = intake, !isOver else { return [] }
        intake = .idle
        // The session has the same limit, and no way to show that it holds.
        guard message.byteCount <= messageLimit else { return fail(.limitExceeded, code: 1_009) }
        if case .closedByPeer(let code, _) = state { drain(code, now: now) }
        if mayReport { return [.deliver(message)] }
        intake = .held(message)
        return []
    }

    private mutating func receiveFailed(
        _ failure: SessionFailure, now: Milliseconds
    ) -> [Action] {
        guard case .receiving = intake, !isOver else { return [] }
        intake = .exhausted
        if failure == .messageTooLong { return fail(.limitExceeded, code: 1_009) }
        if case .closedByPeer(let code, _) = state { return end(.peerClosed(code: code)) }
        return failed(failure, now: now)
    }

    /// A failure of whatever was under way. The first one counts, unless the peer's code comes.
    private mutating func failed(_ failure: SessionFailure, now: Milliseconds) -> [Action] {
        switch state {
        case .open:
            state = .failing(failure, deadline: now.moved(by: Self.grace))
            return []
        case .finished(let cause):
            // The owner waits for a message to be sent, perhaps before it takes the one that is
            // held: then the end may not wait for it.
            state = .ended
            return [.reportEnd(cause, retryAfter: nil)]
        case .closedByPeer(let code, _):
            return reading == .paused ? end(.peerClosed(code: code)) : []
        case .opening, .failing, .closing, .ended:
            // Nothing was under way; the same death; it ends by its completion; a late report.
            return []
        }
    }

    private mutating func sent(_ number: UInt64) -> [Action] {
        guard !isOver else { return [] }
        return sends.complete(number).map { .reportSent($0) } + nextPing()
    }

    private mutating func pongReceived(_ number: UInt32) -> [Action] {
        // A completion is called twice by some systems, or after the end.
        guard !isOver, pings.noteAnswer(to: number) else { return [] }
        return [.reportPong(number)] + nextPing()
    }

    private mutating func peerClosed(
        _ code: UInt16, _ reasonLength: Int, now: Milliseconds
    ) -> [Action] {
        guard Self.hasTravelled(code) else { return [] }
        switch state {
        case .open, .failing:
            received(code, reasonLength)
            // The session answers a Close frame by itself, with its code (RFC 6455 §5.5.1).
            frames.sentCode = code
            if intake == .exhausted || hasFailedBehindPause {
                return end(.peerClosed(code: code))
            }
            drain(code, now: now)
        case .closing:
            received(code, reasonLength)
            state = .closing(isAnswered: true)
        case .opening, .closedByPeer, .finished, .ended:
            break  // Never opened: its completion tells; repeated; late.
        }
        return []
    }

    /// Whether it was in a frame, or stands for a frame without one. The others are the session's
    /// own words for a loss, which its completion explains. Source: RFC 6455 §7.4.1.
    private static func hasTravelled(_ code: UInt16) -> Bool {
        code != 0 && code != 1_006 && code != 1_015
    }

    private mutating func received(_ code: UInt16, _ reasonLength: Int) {
        frames.received = CloseFrames.Received(code: code, reasonLength: reasonLength)
    }

    /// The owner waits for what failed, perhaps before it takes the next message.
    private var hasFailedBehindPause: Bool {
        if case .failing = state { reading == .paused } else { false }
    }

    private mutating func drain(_ code: UInt16, now: Milliseconds) {
        state = .closedByPeer(
            code: code, deadline: reading == .flowing ? now.moved(by: Self.grace) : nil)
    }

    /// Nothing more comes of a task that is over, so this decides.
    private mutating func completed(_ completion: SessionCompletion) -> [Action] {
        let code = completion.closeCode.flatMap { Self.hasTravelled($0) ? $0 : nil }
        switch state {
        case .opening:
            if let status = completion.status, status != 101 {
                return end(.handshakeRefused(status: status), completion.retryAfter)
            }
            return end(completion.failure?.causeBeforeOpen ?? .peerVanished)
        case .open:
            if let code { return closedAtLast(code) }
            if let failure = completion.failure { return end(failure.causeAfterOpen) }
            return finish(.peerVanished)
        case .failing(let failure, _):
            if let code { return closedAtLast(code) }
            return end(failure.causeAfterOpen)
        case .closedByPeer(let code, _):
            return finish(.peerClosed(code: code))
        case .closing(isAnswered: true):
            return end(.closedLocally)
        case .closing(isAnswered: false):
            // A session that was asked to close may call its own end a cancellation.
            let failure = completion.failure.flatMap { $0 == .cancelled ? nil : $0 }
            return end(failure?.causeAfterOpen ?? .closedLocally)
        case .finished, .ended:
            return []  // Late.
        }
    }

    /// The delegate was not told of the Close frame, but the task kept its code.
    private mutating func closedAtLast(_ code: UInt16) -> [Action] {
        received(code, 0)
        frames.sentCode = code
        return finish(.peerClosed(code: code))
    }
}

// MARK: - What the owner orders

extension WebSocketTaskMachine {
    private mutating func sendOrdered(_ message: WebSocketMessage, _ number: UInt64) -> [Action] {
        guard case .open = state else { return [] }  // What is ending sends nothing.
        sends.order(number)
        return [.send(message, number: number)]
    }

    private mutating func pingOrdered(_ number: UInt32) -> [Action] {
        guard case .open = state else { return [] }
        pings.order(number, behind: sends.newest)
        return nextPing()
    }

    private mutating func nextPing() -> [Action] {
        guard case .open = state else { return [] }
        return pings.next(sent: sends.reported).map { [.ping($0)] } ?? []
    }

    private mutating func closeOrdered(_ code: UInt16, _ reason: String) -> [Action] {
        guard case .open = state else { return [] }
        state = .closing(isAnswered: false)
        let code = Self.mayTravel(code) ? code : 1_000
        frames.sentCode = code
        return [.close(code: code, reason: reason.utf8.count <= 123 ? reason : "")]
    }

    /// Whether a Close frame may have this code. Source: RFC 6455 §7.4.
    private static func mayTravel(_ code: UInt16) -> Bool {
        switch code {
        case 1_000...1_003, 1_007...1_014, 3_000...4_999: true
        default: false
        }
    }

    /// Nothing is reported from here: `readOn` follows in a later turn.
    private mutating func readingSet(_ reading: Reading, now: Milliseconds) -> [Action] {
        guard self.reading != reading else { return [] }
        self.reading = reading
        if case .closedByPeer(let code, _) = state { drain(code, now: now) }
        return []
    }

    private mutating func readOn() -> [Action] {
        guard mayReport else { return [] }
        switch intake {
        case .held(let message):
            intake = .idle
            return [.deliver(message)]
        case .idle:
            if case .finished(let cause) = state {
                state = .ended
                return [.reportEnd(cause, retryAfter: nil)]
            }
            intake = .receiving
            return [.receive]
        case .receiving, .exhausted:
            return []
        }
    }

    /// Whether the owner takes messages now. A closing handshake waits for nobody's pace.
    private var mayReport: Bool {
        switch state {
        case .open, .failing, .closedByPeer, .finished: reading == .flowing
        case .closing: true
        case .opening, .ended: false
        }
    }

    private mutating func abortOrdered() -> [Action] {
        defer { state = .ended }
        return isOver ? [] : [.invalidate]
    }
}

// MARK: - The end

extension WebSocketTaskMachine {
    private mutating func deadlineReached(now: Milliseconds) -> [Action] {
        guard let nextDeadline, now >= nextDeadline else { return [] }  // Early, or disarmed.
        switch state {
        case .failing(let failure, _): return end(failure.causeAfterOpen)
        case .closedByPeer(let code, _): return end(.peerClosed(code: code))
        case .opening, .open, .closing, .finished, .ended: return []
        }
    }

    /// The end behind the message that is held, if one is.
    private mutating func finish(_ cause: CloseCause) -> [Action] {
        guard case .held = intake else { return end(cause) }
        state = .finished(cause)
        return [.invalidate]
    }

    private mutating func fail(_ cause: CloseCause, code: UInt16) -> [Action] {
        frames.sentCode = code
        return [.close(code: code, reason: "")] + end(cause)
    }

    private mutating func end(
        _ cause: CloseCause, _ retryAfter: Milliseconds? = nil
    ) -> [Action] {
        state = .ended
        return [.invalidate, .reportEnd(cause, retryAfter: retryAfter)]
    }
}
