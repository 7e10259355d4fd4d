import BelayTesting
import Testing

@testable import BelayURLSession

/// With two messages and two pings the space is finite, and exhausted: every order of any length.
@Suite struct `A WebSocket task that says anything at any time` {
    // A3, A13, C11
    @Test func `ends once, invalidates once, and keeps every rule`() {
        let report = Exploration(TaskWorld(), depth: 1_000).run()
        #expect(report.isSatisfied, "\(report)")
    }
}
