import BelayTCP

/// An actor on a loop of its own: what a test does in its body happens on the loop.
actor LoopBench {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor }

    init(_ loop: EventLoop) {
        self.loop = loop
    }

    func run<Result: Sendable>(
        _ body: @Sendable (isolated LoopBench) async throws -> Result
    ) async rethrows -> Result {
        try await body(self)
    }
}

/// Runs `body` on a new loop, then shuts the loop down.
func onLoop<Result: Sendable>(
    _ kind: PollerKind = .standard,
    _ body: @Sendable (isolated LoopBench) async throws -> Result
) async throws -> Result {
    let loop = try EventLoop(poller: kind)
    try loop.start()
    defer { loop.shutdown() }
    return try await LoopBench(loop).run(body)
}

/// Lets a test wait on the loop for what callbacks change.
class Waitable {
    private var waiters: [CheckedContinuation<Void, Never>] = []

    /// Something changed: every waiting condition is looked at again.
    func changed() {
        let woken = waiters
        waiters = []
        for waiter in woken { waiter.resume() }
    }

    /// Comes back when `condition` holds. The test's time limit ends a wait in vain.
    func wait(until condition: () -> Bool) async {
        while !condition() {
            // Looked at again where it is stored: a hop may lie between, and a change in the hop.
            await withCheckedContinuation { continuation in
                if condition() { continuation.resume() } else { waiters.append(continuation) }
            }
        }
    }
}

/// A value that a callback sets and a test waits for.
final class Promise<Value>: Waitable {
    private(set) var values: [Value] = []

    func put(_ value: Value) {
        values.append(value)
        changed()
    }

    func value() async -> Value {
        await wait(until: { !values.isEmpty })
        return values[0]
    }
}
