import BelayCore
import Testing

@Suite struct `A heartbeat` {
    // W4, W5, W6, W9, W10, W11
    @Test func `pings after one interval and closes when the pong is late`() {
        var heartbeat = Heartbeat(interval: 100, timeout: 1000)
        let first = heartbeat.connect()
        heartbeat.opened(first, now: 0)
        #expect(heartbeat.tick(now: 99) == nil)
        #expect(heartbeat.tick(now: 100) == .ping(first))
        #expect(heartbeat.tick(now: 1099) == nil)
        #expect(heartbeat.pong(first, now: 1100) == .late)
        #expect(heartbeat.tick(now: 1100) == .close(first))
    }
}
