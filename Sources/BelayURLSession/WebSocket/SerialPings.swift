/// Keeps one ping of a connection outstanding, and tells each answer once.
///
/// URLSession does not show a pong's payload, only that the completion of a ping was called; where
/// two are outstanding nobody knows which was answered. A ping also waits for the messages that
/// were ordered before it, as they may take longer than its pong may.
struct SerialPings: Hashable, Sendable {
    private struct Waiting: Hashable {
        let number: UInt32
        let behind: UInt64?
    }

    /// The most pings that wait. A heartbeat has one outstanding, a probe adds one; more than
    /// these would be sent long after they were asked for, so they are left out and go unanswered.
    static let limit = 8

    private var outstanding: UInt32?
    private var waiting: [Waiting] = []

    /// Asks for a ping that leaves behind the message with the number `behind`.
    mutating func order(_ number: UInt32, behind: UInt64?) {
        guard waiting.count < Self.limit else { return }
        waiting.append(Waiting(number: number, behind: behind))
    }

    /// Takes the ping that may leave now. `sent` is the newest message that was given to the
    /// system with all before it.
    mutating func next(sent: UInt64?) -> UInt32? {
        guard outstanding == nil, let first = waiting.first else { return nil }
        if let behind = first.behind {
            guard let sent, sent >= behind else { return nil }
        }
        waiting.removeFirst()
        outstanding = first.number
        return first.number
    }

    /// The completion of a ping was called; whether it is the first answer to the outstanding one.
    mutating func noteAnswer(to number: UInt32) -> Bool {
        guard outstanding == number else { return false }
        outstanding = nil
        return true
    }
}
