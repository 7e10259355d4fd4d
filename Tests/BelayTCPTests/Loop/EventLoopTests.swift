import BelayCore
import BelayTCP
import BelayTransport
import Testing

@Suite(.tags(.realTime), .timeLimit(.minutes(5)))
struct `An event loop` {
    private actor Counter {
        nonisolated let loop: EventLoop
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor }
        private(set) var count = 0

        init(_ loop: EventLoop) {
            self.loop = loop
        }

        func increment() -> Bool {
            count += 1
            return loop.isOnLoop
        }
    }

    @Test(arguments: PollerKind.allCases)
    func `runs its actors on its own thread`(_ kind: PollerKind) async throws {
        let loop = try EventLoop(poller: kind)
        try loop.start()
        defer { loop.shutdown() }
        let counter = Counter(loop)
        #expect(!loop.isOnLoop)
        #expect(await counter.increment())
        #expect(await counter.count == 1)
    }

    @Test(arguments: PollerKind.allCases)
    func `runs every job of many threads`(_ kind: PollerKind) async throws {
        let loop = try EventLoop(poller: kind)
        try loop.start()
        defer { loop.shutdown() }
        let counter = Counter(loop)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<500 { _ = await counter.increment() } }
            }
        }
        #expect(await counter.count == 4_000)
    }

    @Test func `runs tasks that prefer it`() async throws {
        let loop = try EventLoop()
        try loop.start()
        let isOnLoop = await Task(executorPreference: loop.taskExecutor) { loop.isOnLoop }.value
        #expect(isOnLoop)
        loop.shutdown()
    }

    @Test func `lets a callback enter an actor without a hop`() async throws {  // W15
        let count = try await onLoop { bench in
            let counter = Counter(bench.loop)
            let fired = Promise<Int>()
            let timer = LoopTimer(on: bench.loop) {
                _ = counter.assumeIsolated { $0.increment() }
                fired.put(1)
            }
            defer { timer.arm(at: nil) }
            timer.arm(at: bench.loop.now)
            _ = try await fired.value()
            return await counter.count
        }
        #expect(count == 1)
    }

    @Test func `runs what was put off after the call that asked`() async throws {
        try await onLoop { bench in
            let order = Promise<Int>()
            bench.loop.putOff { order.put(2) }
            order.put(1)
            try await order.wait(until: { order.values.count == 2 })
            #expect(order.values == [1, 2])
        }
    }

    @Test func `runs what was enqueued before it started`() async throws {
        let loop = try EventLoop()
        async let isOnLoop = Counter(loop).increment()
        try loop.start()
        #expect(await isOnLoop)
        loop.shutdown()
    }

    @Test func `has a clock that no step from another thread takes back`() async throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.shutdown() }
        let bench = LoopBench(loop)
        for _ in 0..<200 {
            let before = loop.now
            let after = await bench.run { $0.loop.now }
            #expect(after >= before)
        }
    }

    @Test func `traps when what is confined to it is touched from elsewhere`() async {
        await #expect(processExitsWith: .failure) {
            let loop = try EventLoop()
            try loop.start()
            _ = loop.makeTimer {}
        }
    }

    @Test func `drops work that comes after its end, and ends once`() throws {
        let loop = try EventLoop()
        try loop.start()
        loop.shutdown()
        loop.shutdown()
        loop.submit { Issue.record("ran on a loop that has ended") }
    }

    @Test func `ends also when it was never started`() throws {
        try EventLoop().shutdown()
    }

    @Test func `lets go of what it kept when it ends`() async throws {
        weak var loop: EventLoop?
        weak var token: Token?
        do {
            let strong = try EventLoop()
            try strong.start()
            loop = strong
            token = try await LoopBench(strong).run { bench in
                let pair = try await RecordedPair(on: bench.loop)
                let token = Token()
                pair.client.events.onReceive = { _, _ in withExtendedLifetime(token) {} }
                return token
            }
            strong.shutdown()
        }
        #expect(token == nil)
        #expect(loop == nil)
    }

    /// Lives as long as a stream's delegate.
    private final class Token: Sendable {}

    @Test func `shares one loop with whoever needs none of its own`() async {
        #expect(await Counter(.shared).increment())
    }
}
