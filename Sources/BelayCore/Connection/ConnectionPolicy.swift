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
    /// How long a connection whose heartbeat never pings may be silent once the path changed. When
    /// the app is back, it has `probeTimeout`. Default for ever, and then it is doubted by neither.
    ///
    /// For event streams, which cannot be asked, and lose nothing by being replaced.
    public var silenceAfterChange: Milliseconds
    /// A path that comes back shortens a wait to a draw from 0 to this. Default 1,000.
    public var hintedWait: Milliseconds
    /// The least time between two waits that hints shorten, and between two probes that they ask
    /// for. Default 5,000; a path may flap. What comes sooner is followed later.
    public var hintSpacing: Milliseconds
    /// A missing path puts the attempt after a second failure, and each later one, into the second
    /// half of this. Default 30,000: the system may be wrong, and the patience of a user bounds it.
    ///
    /// Never above the backoff's cap, nor below what failures alone may make that wait.
    public var missingPathWait: Milliseconds
    /// When to come back.
    public var reconnect: ReconnectPolicy

    /// A policy. Every length is at least 1, `hintedWait` and `hintSpacing` at least 0.
    public init(
        openTimeout: Milliseconds = 10_000,
        closeTimeout: Milliseconds = 5_000,
        silence: SilencePolicy = .unlimited,
        probeTimeout: Milliseconds = 3_000,
        silenceAfterChange: Milliseconds = .max,
        hintedWait: Milliseconds = 1_000,
        hintSpacing: Milliseconds = 5_000,
        missingPathWait: Milliseconds = 30_000,
        reconnect: ReconnectPolicy = ReconnectPolicy()
    ) {
        precondition(
            openTimeout > 0 && closeTimeout > 0 && probeTimeout > 0, "a timeout is at least 1 ms")
        if case .after(let length) = silence {
            precondition(length > 0, "a silence is at least 1 ms")
        }
        precondition(
            silenceAfterChange > 0 && missingPathWait > 0, "a length of time is at least 1 ms")
        precondition(hintedWait >= 0 && hintSpacing >= 0, "a hint's length is at least 0 ms")
        self.openTimeout = openTimeout
        self.closeTimeout = closeTimeout
        self.silence = silence
        self.probeTimeout = probeTimeout
        self.silenceAfterChange = silenceAfterChange
        self.hintedWait = hintedWait
        self.hintSpacing = hintSpacing
        self.missingPathWait = missingPathWait
        self.reconnect = reconnect
    }
}
