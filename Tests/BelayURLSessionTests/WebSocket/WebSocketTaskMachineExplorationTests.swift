import BelayTesting
import Testing

@testable import BelayURLSession

/// With one message to send and two pings the space is finite, and exhausted: every order of any
/// length.
@Suite struct `A WebSocket task that says anything at any time` {
    // A3, A13, C11, W7, W19, W24
    @Test func `ends once, invalidates once, and keeps every rule`() {
        let report = Exploration(TaskWorld(), depth: 1_000).run()
        #expect(report.isSatisfied, "\(report)")
    }
}
