/// What a driver does after an input, in the order of the properties.
public struct ConnectionReaction: Hashable, Sendable {
    /// What became of the input; of anything but `accepted` nothing else follows.
    public var verdict: InputVerdict
    /// Begin the closing handshake on the transport of this generation.
    public var close: Generation?
    /// This generation ended: abort its transport and publish the one cause with its facts.
    public var ended: CloseFacts?
    /// Create a transport for this generation.
    public var open: Generation?
    /// Send this ping.
    public var ping: ConnectionPing?
    /// Publish this: how long the answered ping was on its way, in milliseconds.
    public var roundTrip: Milliseconds?

    init(
        _ verdict: InputVerdict,
        close: Generation? = nil,
        ended: CloseFacts? = nil,
        open: Generation? = nil,
        ping: ConnectionPing? = nil,
        roundTrip: Milliseconds? = nil
    ) {
        self.verdict = verdict
        self.close = close
        self.ended = ended
        self.open = open
        self.ping = ping
        self.roundTrip = roundTrip
    }
}

/// A ping of a generation.
public struct ConnectionPing: Hashable, Sendable {
    /// Whose transport sends it.
    public let generation: Generation
    /// From 1 in each generation.
    public let number: UInt32
}
