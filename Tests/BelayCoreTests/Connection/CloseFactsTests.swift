import BelayCore
import Testing

@Suite struct `The facts of an end` {
    @Test(
        arguments: [
            (.peerClosed(code: 1_000), .peer), (.peerFinished, .peer), (.peerVanished, .peer),
            (.reset, .peer), (.truncated, .peer), (.closedLocally, .local), (.replaced, .local),
            (.heartbeatTimedOut, .local), (.idleTimedOut, .local), (.limitExceeded, .local),
            (.fellBehind, .local),
            (.peerViolatedProtocol(code: 1_002), .local),
        ] as [(CloseCause, CloseFacts.Side)])
    func `say who began it`(_ cause: CloseCause, _ side: CloseFacts.Side) {
        #expect(CloseFacts(generation: Generation(1), cause: cause, age: 0).began == side)
    }

    @Test(
        arguments: [
            .closedLocally, .openTimedOut, .proxyRefused(status: 407),
            .handshakeRefused(status: 503), .requestInvalid(.url),
        ] as [CloseCause])
    func `say of what never opened that nobody began it`(_ cause: CloseCause) {
        #expect(CloseFacts(generation: Generation(1), cause: cause).began == nil)
    }
}
