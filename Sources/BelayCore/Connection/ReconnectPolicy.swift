/// Whether and when to come back after a generation ended.
public struct ReconnectPolicy: Hashable, Sendable {
    /// How long to wait.
    public var backoff: BackoffPolicy
    /// Failed attempts in a row after which to stop; `nil`, the default, never stops.
    public var attemptLimit: Int?
    /// How often in a row to come back with other credentials after a 401 or 403. Default 0.
    ///
    /// 1 where each attempt asks for its credentials anew: a second refusal is no expired token.
    /// The count begins again with an opened connection.
    public var credentialAttempts: Int
    /// Whether somebody takes a snapshot where the cursor is too old. Default `false`: it stops.
    public var takesSnapshots: Bool
    /// Where the wait after a restart is drawn from, in milliseconds. Default 5,000 to 30,000.
    ///
    /// All clients of the server come back from the same moment: they must spread out.
    public var restartWait: ClosedRange<Milliseconds>
    /// The least age at which ends in a row are taken for a lifetime limit, in milliseconds.
    ///
    /// Three ends by the peer at the same age, within 5 %, are reported once, and later
    /// connections are replaced a tenth before that age; event streams only if they have made
    /// progress. Default 10,000: ends before are a flapping server's. `Int64.max` suspects
    /// nothing.
    public var lifetimeFloor: Milliseconds
    /// What your own close codes mean, or standard ones to your service. Default none.
    public var closeCodes: [UInt16: ReconnectAdvice]
    /// What HTTP statuses of refused handshakes mean to your service. Default none. A proxy's
    /// statuses are none of these.
    public var statuses: [UInt16: ReconnectAdvice]

    /// A policy; `attemptLimit` is at least 1, `credentialAttempts` and `restartWait` at least 0.
    public init(
        backoff: BackoffPolicy = BackoffPolicy(),
        attemptLimit: Int? = nil,
        credentialAttempts: Int = 0,
        takesSnapshots: Bool = false,
        restartWait: ClosedRange<Milliseconds> = 5_000...30_000,
        lifetimeFloor: Milliseconds = 10_000,
        closeCodes: [UInt16: ReconnectAdvice] = [:],
        statuses: [UInt16: ReconnectAdvice] = [:]
    ) {
        precondition((attemptLimit ?? 1) >= 1, "attemptLimit: at least 1")
        precondition(credentialAttempts >= 0, "credentialAttempts: at least 0")
        precondition(lifetimeFloor > 0, "lifetimeFloor \(lifetimeFloor) ms: at least 1")
        precondition(restartWait.lowerBound >= 0, "restartWait: at least 0 ms")
        self.backoff = backoff
        self.attemptLimit = attemptLimit
        self.credentialAttempts = credentialAttempts
        self.takesSnapshots = takesSnapshots
        self.restartWait = restartWait
        self.lifetimeFloor = lifetimeFloor
        self.closeCodes = closeCodes
        self.statuses = statuses
    }

    /// What `cause` means here: as these tables say, else as the standards do.
    public func advice(on cause: CloseCause) -> ReconnectAdvice {
        switch cause {
        case .peerClosed(let code): closeCodes[code] ?? cause.reconnectAdvice
        case .handshakeRefused(let status): statuses[status] ?? cause.reconnectAdvice
        default: cause.reconnectAdvice
        }
    }
}

/// What a cause means for the next attempt.
public enum ReconnectAdvice: Hashable, Sendable, CaseIterable {
    /// Come back, after a wait.
    case retry
    /// The server restarts: come back within the policy's `restartWait`.
    case retryAfterRestart
    /// The server has too much to do: come back after half of the longest wait at the earliest.
    case retryLater
    /// Come back with other credentials, as often as the policy allows.
    case askForCredentials
    /// The server does not know the cursor any more: come back after a snapshot was taken.
    ///
    /// For event streams that have a `SnapshotHook`; others stop.
    case takeSnapshot
    /// The same attempt would end the same way; the application decides.
    case stop
}

extension CloseCause {
    /// Whether another attempt can end differently.
    public var reconnectAdvice: ReconnectAdvice {
        switch self {
        case .connectFailed, .tlsFailed, .requestFailed, .openTimedOut, .peerFinished,
            .peerVanished, .reset, .truncated, .heartbeatTimedOut, .idleTimedOut,
            .peerViolatedProtocol, .fellBehind, .replaced:
            // Networks, restarts and middleboxes do this; also TLS, behind a captive portal. And
            // whoever fell behind has caught up by then.
            .retry
        case .cursorTooOld:
            .takeSnapshot
        case .wrongContentType, .toldToStop, .closedLocally:
            .stop
        case .requestInvalid:
            .stop  // No time mends it: it is the application's own.
        case .limitExceeded:
            .stop  // The peer would send the same message again, in a loop.
        case .handshakeRefused(let status):
            Self.advice(forStatus: status)
        case .proxyRefused(let status):
            // Other credentials of the server's would change nothing: it was never asked.
            Self.advice(forStatus: status) == .askForCredentials
                ? .stop : Self.advice(forStatus: status)
        case .peerClosed(let code):
            Self.advice(forCode: code)
        }
    }

    /// Source: RFC 9110 §15.5.2 (401), §15.5.4 (403), §15.5.9 (408), RFC 8470 §5.2 (425),
    /// RFC 6585 §4 (429).
    private static func advice(forStatus status: UInt16) -> ReconnectAdvice {
        switch status {
        case 401, 403: .askForCredentials
        case 429: .retryLater
        case 408, 425, 500...599: .retry
        default: .stop
        }
    }

    /// The codes by which a peer says that what we do is wrong (RFC 6455 §7.4.1), that it restarts
    /// or has too much to do (IANA registry: 1012, 1013).
    private static func advice(forCode code: UInt16) -> ReconnectAdvice {
        switch code {
        case 1002, 1003, 1007, 1008, 1009, 1010: .stop
        case 1012: .retryAfterRestart
        case 1013: .retryLater
        default: .retry
        }
    }
}
