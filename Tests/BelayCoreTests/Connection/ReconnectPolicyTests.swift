import BelayCore
import Testing

@Suite struct `The advice of a cause` {
    // W24, E10
    @Test(
        arguments: [
            .connectFailed(.refused), .tlsFailed, .openTimedOut, .peerFinished, .peerVanished,
            .reset, .truncated, .heartbeatTimedOut, .idleTimedOut,
            .peerViolatedProtocol(code: 1_002), .fellBehind, .replaced,
            .handshakeRefused(status: 408),
            .handshakeRefused(status: 425), .handshakeRefused(status: 500),
            .handshakeRefused(status: 599), .proxyRefused(status: 502), .proxyRefused(status: 504),
            .peerClosed(code: 1_000), .peerClosed(code: 1_001), .peerClosed(code: 1_005),
            .peerClosed(code: 1_011), .peerClosed(code: 4_000),
        ] as [CloseCause])
    func `is to come back where networks, restarts and middleboxes do this`(_ cause: CloseCause) {
        #expect(cause.reconnectAdvice == .retry)
    }

    // W24, E10
    @Test(
        arguments: [
            .wrongContentType, .toldToStop, .closedLocally, .limitExceeded,
            .handshakeRefused(status: 301), .handshakeRefused(status: 400),
            .handshakeRefused(status: 404), .handshakeRefused(status: 426),
            .proxyRefused(status: 401), .proxyRefused(status: 403), .proxyRefused(status: 407),
            .peerClosed(code: 1_002), .peerClosed(code: 1_003), .peerClosed(code: 1_007),
            .peerClosed(code: 1_008), .peerClosed(code: 1_009), .peerClosed(code: 1_010),
            .requestInvalid(.url), .requestInvalid(.body), .requestInvalid(.lastEventID),
            .requestInvalid(.subprotocol),
        ] as [CloseCause])
    func `is to stop where the same attempt would end the same way`(_ cause: CloseCause) {
        #expect(cause.reconnectAdvice == .stop)
    }

    @Test(
        arguments: [
            (.handshakeRefused(status: 401), .askForCredentials),
            (.handshakeRefused(status: 403), .askForCredentials),
            (.handshakeRefused(status: 429), .retryLater), (.cursorTooOld, .takeSnapshot),
            (.proxyRefused(status: 429), .retryLater),
            (.peerClosed(code: 1_012), .retryAfterRestart), (.peerClosed(code: 1_013), .retryLater),
        ] as [(CloseCause, ReconnectAdvice)])
    func `is what the peer asks for`(_ cause: CloseCause, _ advice: ReconnectAdvice) {
        #expect(cause.reconnectAdvice == advice)
    }
}

@Suite struct `The policy of coming back` {
    @Test func `has no limit of attempts by default`() {
        #expect(ReconnectPolicy().attemptLimit == nil)
    }

    @Test func `knows an app's own codes and statuses, and the standard ones beside them`() {
        let policy = ReconnectPolicy(
            closeCodes: [4_000: .stop, 1_008: .askForCredentials], statuses: [503: .retryLater])
        #expect(policy.advice(on: .peerClosed(code: 4_000)) == .stop)
        #expect(policy.advice(on: .peerClosed(code: 1_008)) == .askForCredentials)
        #expect(policy.advice(on: .peerClosed(code: 1_013)) == .retryLater)
        #expect(policy.advice(on: .handshakeRefused(status: 503)) == .retryLater)
        #expect(policy.advice(on: .handshakeRefused(status: 404)) == .stop)
        #expect(policy.advice(on: .proxyRefused(status: 503)) == .retry)
        #expect(policy.advice(on: .peerViolatedProtocol(code: 4_000)) == .retry)
    }

    @Test func `traps on a limit of no attempts`() async {
        await #expect(processExitsWith: .failure) { _ = ReconnectPolicy(attemptLimit: 0) }
    }
}
