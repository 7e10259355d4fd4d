/// Whether and when to come back after a generation ended.
public struct ReconnectPolicy: Hashable, Sendable {
    /// How long to wait.
    public var backoff: BackoffPolicy
    /// Failed attempts in a row after which to stop; `nil`, the default, never stops.
    public var attemptLimit: Int?

    /// A policy; `attemptLimit` is at least 1.
    public init(backoff: BackoffPolicy = BackoffPolicy(), attemptLimit: Int? = nil) {
        precondition((attemptLimit ?? 1) >= 1, "attemptLimit: at least 1")
        self.backoff = backoff
        self.attemptLimit = attemptLimit
    }
}

/// What a cause means for the next attempt.
public enum ReconnectAdvice: Hashable, Sendable {
    /// Come back, after a wait.
    case retry
    /// The same attempt would end the same way; the application decides.
    case stop
}

extension CloseCause {
    /// Whether another attempt can end differently.
    public var reconnectAdvice: ReconnectAdvice {
        switch self {
        case .connectFailed, .tlsFailed, .openTimedOut, .peerFinished, .peerVanished, .reset,
            .truncated, .heartbeatTimedOut, .idleTimedOut, .peerViolatedProtocol, .replaced:
            // Networks, restarts and middleboxes do this; also TLS, behind a captive portal.
            .retry
        case .wrongContentType, .toldToStop, .closedLocally:
            .stop
        case .limitExceeded:
            .stop  // The peer would send the same message again, in a loop.
        case .handshakeRefused(let status):
            Self.advice(forStatus: status)
        case .peerClosed(let code):
            Self.advice(forCode: code)
        }
    }

    /// Source: RFC 9110 §15.5.9 (408), RFC 8470 §5.2 (425), RFC 6585 §4 (429).
    private static func advice(forStatus status: UInt16) -> ReconnectAdvice {
        switch status {
        case 408, 425, 429, 500...599: .retry
        default: .stop
        }
    }

    /// The codes by which a peer says that what we do is wrong. Source: RFC 6455 §7.4.1.
    private static func advice(forCode code: UInt16) -> ReconnectAdvice {
        switch code {
        case 1002, 1003, 1007, 1008, 1009, 1010: .stop
        default: .retry
        }
    }
}
