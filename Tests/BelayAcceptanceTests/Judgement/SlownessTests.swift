import BelayCore
import Testing

@testable import BelayAcceptance

@Suite struct `A slow machine` {
    @Test(arguments: [
        ([99], 1_000, nil),
        ([100], 1_000, "the machine stood still for 100 ms"),
        ([50, 50, 50, 50, 49], 1_000, nil),
        ([50, 50, 50, 50, 50], 1_000, "the machine lost 250 of 1000 ms"),
        ([-20, 99, -20], 1_000, nil),
        ([], 0, nil),
    ])
    func `excuses by one long stall, or by a quarter of the time`(
        excesses: [Milliseconds], duration: Milliseconds, excuse: String?
    ) {
        var slowness = Slowness()
        for excess in excesses { slowness.add(excess) }
        #expect(slowness.excuse(within: duration) == excuse)
    }
}
