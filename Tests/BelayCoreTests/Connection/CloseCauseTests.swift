import BelayCore
import Testing

@Suite struct `The words of causes` {
    private static let causes: [CloseCause] = [
        .connectFailed(.nameNotResolved), .connectFailed(.refused), .connectFailed(.unreachable),
        .connectFailed(.timedOut), .connectFailed(.system(code: 5)), .tlsFailed,
        .proxyRefused(status: 407), .handshakeRefused(status: 503), .wrongContentType, .toldToStop,
        .cursorTooOld, .requestFailed, .openTimedOut,
        .peerClosed(code: 1_001), .peerFinished, .peerVanished, .reset, .truncated,
        .peerViolatedProtocol(code: 1_002), .heartbeatTimedOut, .idleTimedOut, .limitExceeded,
        .fellBehind, .closedLocally, .replaced, .requestInvalid(.url), .requestInvalid(.body),
        .requestInvalid(.lastEventID), .requestInvalid(.subprotocol),
    ]

    // W24
    @Test func `are all different`() {
        #expect(Set(Self.causes.map { "\($0.name)" }).count == Self.causes.count)
    }

    // W20, W24
    @Test func `stand beside the numbers that belong to them`() {
        let numbers = Self.causes.compactMap { cause in cause.code.map { "\(cause.name) \($0)" } }
        #expect(
            numbers == [
                "connectFailed 5", "proxyRefused 407", "handshakeRefused 503", "peerClosed 1001",
                "peerViolatedProtocol 1002",
            ])
    }
}
