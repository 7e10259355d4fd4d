import Testing

@testable import BelayCore

@Suite struct `A monotonic line` {
    // W3
    @Test func `stands still where the clock steps back`() {
        var line = MonotonicLine()
        #expect([5, 9, 3, .min, 9, 10].map { line.read($0) } == [5, 9, 9, 9, 9, 10])
    }

    @Test func `begins wherever the clock begins`() {
        var line = MonotonicLine()
        #expect(line.read(.min) == .min)
        #expect(line.read(-7) == -7)
        #expect(line.read(.max) == .max)
    }
}
