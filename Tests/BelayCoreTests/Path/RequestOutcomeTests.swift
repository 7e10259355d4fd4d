import BelayCore
import Testing

@Suite struct `The outcome of a request` {
    struct Row: CustomTestStringConvertible {
        let cause: CloseCause
        let outcome: RequestOutcome
        var testDescription: String { "\(cause.name)" }
    }

    // P2, P12
    @Test(arguments: [
        Row(cause: .connectFailed(.nameNotResolved), outcome: .failed(.notConnected)),
        Row(cause: .connectFailed(.refused), outcome: .failed(.notConnected)),
        Row(cause: .connectFailed(.unreachable), outcome: .failed(.notConnected)),
        Row(cause: .connectFailed(.system(code: 5)), outcome: .failed(.notConnected)),
        Row(cause: .connectFailed(.timedOut), outcome: .failed(.timedOut)),
        Row(cause: .tlsFailed, outcome: .failed(.notTrusted)),
        Row(cause: .proxyRefused(status: 407), outcome: .failed(.notConnected)),
        Row(cause: .proxyRefused(status: 502), outcome: .failed(.notConnected)),
        Row(cause: .handshakeRefused(status: 401), outcome: .failed(.notAuthorized)),
        Row(cause: .handshakeRefused(status: 403), outcome: .failed(.notAuthorized)),
        Row(cause: .handshakeRefused(status: 404), outcome: .failed(.rejected)),
        Row(cause: .handshakeRefused(status: 429), outcome: .failed(.serverFailed)),
        Row(cause: .handshakeRefused(status: 500), outcome: .failed(.serverFailed)),
        Row(cause: .handshakeRefused(status: 599), outcome: .failed(.serverFailed)),
        Row(cause: .wrongContentType, outcome: .failed(.rejected)),
        Row(cause: .toldToStop, outcome: .succeeded),
        Row(cause: .requestFailed, outcome: .failed(.notConnected)),
        Row(cause: .requestInvalid(.lastEventID), outcome: .failed(.notConnected)),
        Row(cause: .openTimedOut, outcome: .failed(.timedOut)),
        Row(cause: .peerClosed(code: 1_000), outcome: .succeeded),
        Row(cause: .peerFinished, outcome: .succeeded),
        Row(cause: .peerVanished, outcome: .failed(.interrupted)),
        Row(cause: .reset, outcome: .failed(.interrupted)),
        Row(cause: .truncated, outcome: .failed(.interrupted)),
        Row(cause: .peerViolatedProtocol(code: 1_002), outcome: .failed(.interrupted)),
        Row(cause: .heartbeatTimedOut, outcome: .failed(.timedOut)),
        Row(cause: .idleTimedOut, outcome: .failed(.timedOut)),
        Row(cause: .limitExceeded, outcome: .failed(.interrupted)),
        Row(cause: .fellBehind, outcome: .succeeded),
        Row(cause: .closedLocally, outcome: .succeeded),
        Row(cause: .replaced, outcome: .succeeded),
    ])
    func `names the stage at which a connection ended`(_ row: Row) {
        #expect(RequestOutcome(row.cause) == row.outcome)
    }
}
