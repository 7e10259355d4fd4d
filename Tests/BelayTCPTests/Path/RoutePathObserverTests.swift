#if os(Linux)
    import BelayCore
    import BelayTransport
    import Synchronization
    import Testing

    @testable import BelayTCP

    private final class Flag: Sendable {
        let value = Atomic(false)
    }

    /// On this machine's own network, whatever it is: what must hold in any. Its bus is left alone.
    @Suite(.tags(.realTime), .timeLimit(.minutes(5)))
    struct `An observer of Linux's links and routes` {
        private static let noBus = "unix:path=/nowhere"

        // P1, P8
        @Test(arguments: PollerKind.allCases)
        func `reports in a later turn, first of all what is there`(
            _ kind: PollerKind
        ) async throws {
            try await onLoop(kind) { bench in
                let (updates, feed) = AsyncStream<(Generation, PathUpdate)>.makeStream()
                let isBegun = Flag()
                let sink = PathSink(generation: Generation(3)) { [loop = bench.loop] id, update in
                    #expect(loop.isOnLoop && isBegun.value.load(ordering: .relaxed))
                    feed.yield((id, update))
                }
                let observation = RoutePathObservation(
                    on: bench.loop, towards: .anywhere, bus: Self.noBus, sink: sink)
                isBegun.value.store(true, ordering: .relaxed)
                let (id, first) = try #require(await updates.first { _ in true })
                #expect(id == Generation(3))
                #expect(first.state != .unknown && first.change == 1)
                #expect(first.expensive == .unknown && first.constrained == .unknown)
                observation.cancel()
            }
        }

        // P7
        @Test(arguments: PollerKind.allCases)
        func `lets go of its sockets when it is cancelled`(_ kind: PollerKind) async throws {
            try await onLoop(kind) { bench in
                let observer = RoutePathObserver(on: bench.loop, bus: Self.noBus)
                #expect(observer.domain === bench.loop)
                let sink = PathSink(generation: Generation(1)) { _, _ in }
                let observation = observer.observe(sink)
                #expect(bench.loop.registeredCount == 2)
                observation.cancel()
                observation.cancel()
                #expect(bench.loop.registeredCount == 0)
            }
        }

        @Test func `ends with its loop`() async throws {
            let loop = try EventLoop()
            try loop.start()
            await LoopBench(loop).run { bench in
                let sink = PathSink(generation: Generation(1)) { _, _ in }
                _ = RoutePathObserver(on: bench.loop, bus: Self.noBus).observe(sink)
            }
            loop.shutdown()
        }
    }
#endif
