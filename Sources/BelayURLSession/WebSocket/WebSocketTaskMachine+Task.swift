import BelayCore
import BelayTransport

/// What the task says.
extension WebSocketTaskMachine {
    mutating func opened(_ subprotocol: String?) -> [Action] {
        guard case .opening = state else { return [] }  // Repeated, or after the end.
        state = .open
        if let subprotocol, !subprotocols.contains(subprotocol) {
            // Source: RFC 6455 §4.1.
            return fail(.peerViolatedProtocol(code: 1_002), code: 1_002)
        }
        return [.reportOpened(subprotocol: subprotocol)]
    }

    mutating func received(_ message: WebSocketMessage, now: Milliseconds) -> [Action] {
        guard case .receiving = intake, !isOver else { return [] }
        intake = .idle
        // The session has the same limit, and no way to show that it holds.
        guard message.byteCount <= messageLimit else { return fail(.limitExceeded, code: 1_009) }
        if case .closedByPeer(let code, _) = state { drain(code, now: now) }
        if mayReport { return [.deliver(message)] }
        intake = .held(message)
        return []
    }

    mutating func receiveFailed(
        _ failure: SessionFailure, now: Milliseconds
    ) -> [Action] {
        guard case .receiving = intake, !isOver else { return [] }
        intake = .exhausted
        if failure == .messageTooLong { return fail(.limitExceeded, code: 1_009) }
        if case .closedByPeer(let code, _) = state { return end(.peerClosed(code: code)) }
        return failed(failure, now: now)
    }

    /// A failure of whatever was under way. The first one counts, unless the peer's code comes.
    mutating func failed(_ failure: SessionFailure, now: Milliseconds) -> [Action] {
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

    mutating func sent(_ number: UInt64) -> [Action] {
        guard !isOver else { return [] }
        return sends.complete(number).map { .reportSent($0) } + nextPing()
    }

    mutating func pongReceived(_ number: UInt32) -> [Action] {
        // A completion is called twice by some systems, or after the end.
        guard !isOver, pings.noteAnswer(to: number) else { return [] }
        return [.reportPong(number)] + nextPing()
    }

    mutating func peerClosed(
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

    mutating func received(_ code: UInt16, _ reasonLength: Int) {
        frames.received = CloseFrames.Received(code: code, reasonLength: reasonLength)
    }

    /// The owner waits for what failed, perhaps before it takes the next message.
    private var hasFailedBehindPause: Bool {
        if case .failing = state { reading == .paused } else { false }
    }

    mutating func drain(_ code: UInt16, now: Milliseconds) {
        state = .closedByPeer(
            code: code, deadline: reading == .flowing ? now.moved(by: Self.grace) : nil)
    }

    /// Nothing more comes of a task that is over, so this decides.
    mutating func completed(_ completion: SessionCompletion) -> [Action] {
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
