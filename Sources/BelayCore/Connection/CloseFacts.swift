/// How a generation ended: its one cause, and what is known beside it.
///
/// The cause was decided by the first report and is never a summary of the numbers: a peer may
/// have answered our Close frame with a code of its own, and the cause is still ours (law 2).
public struct CloseFacts: Hashable, Sendable {
    /// Which ended.
    public let generation: Generation
    /// Why: the first report decided.
    public let cause: CloseCause
    /// How long it was open, in milliseconds; `nil` where it never opened.
    public let age: Milliseconds?
    /// Told once, with the end that raised the suspicion: peers end connections at this age, in
    /// milliseconds. From then on each is replaced a tenth before it.
    public internal(set) var suspectedLifetime: Milliseconds?
    /// The Close frames that travelled. Both are absent on event streams, and where none opened.
    public var frames: CloseFrames

    /// The facts of one end.
    public init(
        generation: Generation, cause: CloseCause, age: Milliseconds? = nil,
        suspectedLifetime: Milliseconds? = nil, frames: CloseFrames = CloseFrames()
    ) {
        self.generation = generation
        self.cause = cause
        self.age = age
        self.suspectedLifetime = suspectedLifetime
        self.frames = frames
    }

    /// A side of a connection.
    public enum Side: Hashable, Sendable {
        /// This program.
        case local
        /// The peer, or a middlebox that acted in its name.
        case peer
    }

    /// Who began to end what was open; `nil` where it never opened.
    ///
    /// Where two Close frames cross, both sides began; we answer for ours.
    public var began: Side? {
        guard age != nil else { return nil }
        return switch cause {
        case .connectFailed, .tlsFailed, .proxyRefused, .handshakeRefused, .wrongContentType,
            .toldToStop, .cursorTooOld, .peerClosed, .peerFinished, .peerVanished, .reset,
            .truncated:
            .peer
        case .requestFailed, .requestInvalid, .openTimedOut, .peerViolatedProtocol,
            .heartbeatTimedOut, .idleTimedOut, .limitExceeded, .fellBehind,
            .closedLocally, .replaced:
            .local
        }
    }
}

/// The Close frames of one connection, as far as they travelled. Source: RFC 6455 §5.5.1.
public struct CloseFrames: Hashable, Sendable {
    /// What the peer's Close frame said. The reason itself is the peer's text, and kept nowhere.
    public struct Received: Hashable, Sendable {
        /// Its code; 1005 stands for a frame without one.
        ///
        /// One that may not be sent is kept as it came, beside `peerViolatedProtocol`.
        public let code: UInt16
        /// The length of its reason in bytes of UTF-8, 0 to 123.
        public let reasonLength: Int

        /// A frame that came.
        public init(code: UInt16, reasonLength: Int = 0) {
            self.code = code
            self.reasonLength = reasonLength
        }
    }

    /// The peer's; `nil` where none came.
    public var received: Received?
    /// The code of ours, 1005 for one without code; `nil` where none was written.
    ///
    /// Written means given to the socket's buffer: a peer that is gone never saw it.
    public var sentCode: UInt16?

    /// None, or these.
    public init(received: Received? = nil, sentCode: UInt16? = nil) {
        self.received = received
        self.sentCode = sentCode
    }
}
