import BelayCore
import BelayTCP
import BelayTransport
import Testing

@Suite(.tags(.realTime), .timeLimit(.minutes(5)))
struct `A timer of a loop` {
    @Test(arguments: PollerKind.allCases, [0, 1, 5, 70] as [Milliseconds])
    func `never fires early`(_ kind: PollerKind, _ length: Milliseconds) async throws {
        try await onLoop(kind) { bench in
            let loop = bench.loop
            let fired = Promise<Milliseconds>()
            let timer = LoopTimer(on: loop) { fired.put(loop.now) }
            defer { timer.arm(at: nil) }
            let deadline = loop.now + length
            timer.arm(at: deadline)
            let firedAt = try await fired.value()
            #expect(firedAt >= deadline)
            #expect(fired.values.count == 1)
        }
    }

    @Test func `fires once, at its last deadline`() async throws {
        try await onLoop { bench in
            let loop = bench.loop
            let fired = Promise<String>()
            let disarmed = LoopTimer(on: loop) { fired.put("disarmed") }
            let rearmed = LoopTimer(on: loop) { fired.put("rearmed") }
            let last = LoopTimer(on: loop) { fired.put("last") }
            defer { for timer in [disarmed, rearmed, last] { timer.arm(at: nil) } }
            disarmed.arm(at: loop.now + 2)
            rearmed.arm(at: loop.now + 1)
            disarmed.arm(at: nil)
            rearmed.arm(at: loop.now + 4)
            last.arm(at: loop.now + 8)
            try await fired.wait(until: { fired.values.contains("last") })
            #expect(fired.values == ["rearmed", "last"])
        }
    }

    @Test func `arms itself in the past without holding up its loop`() async throws {
        try await onLoop { bench in
            let loop = bench.loop
            let fired = Promise<Int>()
            let clock = TimerBox()
            clock.timer = LoopTimer(on: loop) {
                fired.put(1)
                clock.timer?.arm(at: 0)
            }
            clock.timer?.arm(at: 0)
            try await fired.wait(until: { fired.values.count >= 3 })
            clock.timer = nil
        }
    }

    private final class TimerBox {
        var timer: LoopTimer?
    }

    @Test func `is disarmed by letting it go`() async throws {
        try await onLoop { bench in
            let loop = bench.loop
            let fired = Promise<Int>()
            var timer: LoopTimer? = LoopTimer(on: loop) { fired.put(1) }
            timer?.arm(at: loop.now + 1)
            timer = nil
            let later = LoopTimer(on: loop) { fired.put(2) }
            defer { later.arm(at: nil) }
            later.arm(at: loop.now + 3)
            let first = try await fired.value()
            #expect(first == 2)
        }
    }

    @Test func `takes along a timer that only its own action kept`() async throws {
        try await onLoop { bench in
            let loop = bench.loop
            let inner = TimerBox()
            inner.timer = LoopTimer(on: loop) {}
            weak let token = inner
            var outer: LoopTimer? = LoopTimer(on: loop) { [inner] in inner.timer = nil }
            outer?.arm(at: nil)
            _ = consume inner
            #expect(token != nil)
            outer = nil
            #expect(token == nil)
        }
    }

    @Test func `that keeps itself goes with its loop`() async throws {
        let loop = try EventLoop()
        try loop.start()
        weak let token = await LoopBench(loop).run { bench in
            let (box, token) = (TimerBox(), Token())
            box.timer = LoopTimer(on: bench.loop) { withExtendedLifetime((box, token)) {} }
            return token
        }
        #expect(token != nil)
        loop.shutdown()
        #expect(token == nil)
    }

    @Test func `may be let go on any thread`() async throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.shutdown() }
        let bench = LoopBench(loop)
        var owner: Owner? = await bench.run { Owner($0.loop) }
        weak let token = owner?.token
        #expect(token != nil)
        owner = nil
        // The wheel hears of it by a job, which comes before this one.
        await bench.run { _ in }
        #expect(token == nil)
    }

    /// Lets its timer go wherever it is itself let go.
    private actor Owner {
        nonisolated let loop: EventLoop
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor }
        let token = Token()
        private var timer: LoopTimer?

        init(_ loop: EventLoop) {
            self.loop = loop
            timer = LoopTimer(on: loop) { [token] in withExtendedLifetime(token) {} }
        }
    }

    private final class Token: Sendable {}
}
