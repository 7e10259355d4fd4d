/// The article's rules once more, written from its sentences: what happened, and when.
struct ArticleHeartbeat: Hashable {
    enum Order: Hashable { case ping(UInt64), close(UInt64) }

    let interval: Int64
    let timeout: Int64
    /// "Assign an increasing generation number whenever you create a transport task."
    private(set) var number: UInt64 = 0
    private(set) var isConnecting = false
    private(set) var isOpen = false
    /// When it opened, or its last ping was answered.
    private var quietSince: Int64 = 0
    /// When the outstanding ping was sent.
    private var pingedAt: Int64?

    init(interval: Int64, timeout: Int64) {
        self.interval = interval
        self.timeout = timeout
    }

    mutating func create() {
        number += 1
        (isConnecting, isOpen, pingedAt) = (true, false, nil)
    }

    mutating func opened(_ id: UInt64, at now: Int64) {
        guard id == number, isConnecting else { return }
        (isConnecting, isOpen, quietSince) = (false, true, now)
    }

    /// "A Pong received exactly at the deadline is also late."
    mutating func pong(_ id: UInt64, at now: Int64) {
        guard id == number, isOpen, let sent = pingedAt, now - sent < timeout else { return }
        (pingedAt, quietSince) = (nil, now)
    }

    /// "Wait one interval after the connection opens before sending a Ping, send no second Ping
    /// while waiting for a Pong, and close the connection if no response has arrived by the
    /// deadline."
    mutating func check(at now: Int64) -> Order? {
        guard isOpen else { return nil }
        if let sent = pingedAt {
            guard now - sent >= timeout else { return nil }
            (isOpen, pingedAt) = (false, nil)
            return .close(number)
        }
        guard now - quietSince >= interval else { return nil }
        pingedAt = now
        return .ping(number)
    }
}
