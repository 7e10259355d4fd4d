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

    enum State: Hashable {
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
    enum Intake: Hashable {
        case idle
        case receiving
        case held(WebSocketMessage)
        /// Taking one failed: there are no more.
        case exhausted
    }

    /// For how many milliseconds the reports of one death may lie apart. They come in one burst;
    /// a second is long for that and short beside any heartbeat.
    static let grace: Milliseconds = 1_000

    let subprotocols: [String]
    let messageLimit: Int
    var state = State.opening
    var intake = Intake.idle
    var reading = Reading.flowing
    var sends = SentMessages()
    var pings = SerialPings()
    /// The Close frames that travelled, as far as the session shows them.
    var frames = CloseFrames()

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
    mutating func finish(_ cause: CloseCause) -> [Action] {
        guard case .held = intake else { return end(cause) }
        state = .finished(cause)
        return [.invalidate]
    }

    /// *Fails the connection*. Source: RFC 6455 §7.1.7.
    mutating func fail(_ cause: CloseCause, code: UInt16) -> [Action] {
        // Behind a Close frame of ours nothing follows (§5.5.1).
        guard frames.sentCode == nil else { return end(cause) }
        frames.sentCode = code
        return [.close(code: code, reason: "")] + end(cause)
    }

    mutating func end(
        _ cause: CloseCause, _ retryAfter: Milliseconds? = nil
    ) -> [Action] {
        state = .ended
        return [.invalidate, .reportEnd(cause, retryAfter: retryAfter)]
    }
}
