/// How the newest real request ended. The path never writes it, and it never writes the path.
public enum RequestOutcome: Hashable, Sendable {
    /// None has ended yet.
    case none
    /// The server answered and did what was asked.
    case succeeded
    /// It failed, at this stage.
    case failed(RequestFailure)
}

/// At which stage a request failed; each is a finding of its own (requirement P12).
public enum RequestFailure: Hashable, Sendable, CaseIterable {
    /// Nobody listens there, or no way leads there.
    case notConnected
    /// It was cut while under way.
    case interrupted
    /// No answer in time.
    case timedOut
    /// The peer could not prove who it is.
    case notTrusted
    /// The server wants other credentials (401, 403).
    case notAuthorized
    /// The server failed (5xx), or said that it is busy (429).
    case serverFailed
    /// The server says that the request is wrong (other 4xx).
    case rejected
}

extension RequestOutcome {
    /// The outcome that the end of a connection means for its user.
    public init(_ cause: CloseCause) {
        switch cause {
        case .peerFinished, .peerClosed, .toldToStop, .fellBehind, .closedLocally,
            .replaced:
            self = .succeeded  // It was open, and was ended on purpose.
        case .connectFailed(.timedOut), .openTimedOut, .heartbeatTimedOut, .idleTimedOut:
            self = .failed(.timedOut)
        case .connectFailed, .proxyRefused, .requestFailed, .requestInvalid:
            self = .failed(.notConnected)
        case .tlsFailed:
            self = .failed(.notTrusted)
        case .handshakeRefused(401), .handshakeRefused(403):
            self = .failed(.notAuthorized)
        case .handshakeRefused(429), .handshakeRefused(500...599):
            self = .failed(.serverFailed)
        case .handshakeRefused, .wrongContentType, .cursorTooOld:
            self = .failed(.rejected)
        case .peerVanished, .reset, .truncated, .peerViolatedProtocol, .limitExceeded:
            self = .failed(.interrupted)
        }
    }
}
