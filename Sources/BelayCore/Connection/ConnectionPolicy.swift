/// The numbers of one connection's life, in milliseconds.
public struct ConnectionPolicy: Hashable, Sendable {
    /// From the attempt to the opened connection, names and handshake included. Default 10,000.
    ///
    /// Covers every stage, or an unroutable address waits for the system's minutes.
    public var openTimeout: Milliseconds
    /// For the whole closing handshake; traffic does not extend it. Default 5,000.
    public var closeTimeout: Milliseconds
    /// How long an open connection may be silent. Default for ever.
    ///
    /// For event streams, whose client cannot ping.
    public var silence: SilencePolicy
    /// For the answer when a hint or a return to the foreground makes the connection doubtful.
    ///
    /// Default 3,000: what a user accepts to look at a stale screen.
    public var probeTimeout: Milliseconds
    /// A path that comes back shortens a wait to a draw from 0 to this. Default 1,000.
    public var hintedWait: Milliseconds
    /// The least time between two waits that hints shorten, and between two probes that they ask
    /// for. Default 5,000; a path may flap. What comes sooner is followed later.
    public var hintSpacing: Milliseconds
    /// When to come back.
    ///
    /// The backoff's cap bounds what a missing path makes of a wait, too: after a second failure
    /// the attempt comes in the second half of the longest wait, 15 to 30 s by default.
    public var reconnect: ReconnectPolicy

    /// A policy. Every length is at least 1, `hintedWait` and `hintSpacing` at least 0.
    public init(
        openTimeout: Milliseconds = 10_000,
        closeTimeout: Milliseconds = 5_000,
        silence: SilencePolicy = .unlimited,
        probeTimeout: Milliseconds = 3_000,
        hintedWait: Milliseconds = 1_000,
        hintSpacing: Milliseconds = 5_000,
        reconnect: ReconnectPolicy = ReconnectPolicy()
    ) {
        precondition(
            openTimeout > 0 && closeTimeout > 0 && probeTimeout > 0, "a timeout is at least 1 ms")
        if case .after(let length) = silence {
            precondition(length > 0, "a silence is at least 1 ms")
        }
        precondition(hintedWait >= 0 && hintSpacing >= 0, "a hint's length is at least 0 ms")
        self.openTimeout = openTimeout
        self.closeTimeout = closeTimeout
        self.silence = silence
        self.probeTimeout = probeTimeout
        self.hintedWait = hintedWait
        self.hintSpacing = hintSpacing
        self.reconnect = reconnect
    }
}
