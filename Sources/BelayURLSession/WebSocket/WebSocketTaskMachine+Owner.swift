import BelayCore
import BelayTransport

/// What the owner orders.
extension WebSocketTaskMachine {
    mutating func sendOrdered(_ message: WebSocketMessage, _ number: UInt64) -> [Action] {
        guard case .open = state else { return [] }  // What is ending sends nothing.
        sends.order(number)
        return [.send(message, number: number)]
    }

    mutating func pingOrdered(_ number: UInt32) -> [Action] {
        guard case .open = state else { return [] }
        pings.order(number, behind: sends.newest)
        return nextPing()
    }

    mutating func nextPing() -> [Action] {
        guard case .open = state else { return [] }
        return pings.next(sent: sends.reported).map { [.ping($0)] } ?? []
    }

    mutating func closeOrdered(_ code: UInt16, _ reason: String) -> [Action] {
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
    mutating func readingSet(_ reading: Reading, now: Milliseconds) -> [Action] {
        guard self.reading != reading else { return [] }
        self.reading = reading
        if case .closedByPeer(let code, _) = state { drain(code, now: now) }
        return []
    }

    mutating func readOn() -> [Action] {
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
    var mayReport: Bool {
        switch state {
        case .open, .failing, .closedByPeer, .finished: reading == .flowing
        case .closing: true
        case .opening, .ended: false
        }
    }

    mutating func abortOrdered() -> [Action] {
        defer { state = .ended }
        return isOver ? [] : [.invalidate]
    }
}
