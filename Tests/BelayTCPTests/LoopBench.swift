import BelayTCP
import BelayTesting
import BelayTransport

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
    private var waiters: [(holds: () -> Bool, answer: Answer<Bool>)] = []

    /// Something changed: every waiting condition is looked at again.
    func changed() {
        let waiting = waiters
        waiters = []
        for waiter in waiting where !waiter.answer.isGiven {
            if waiter.holds() { waiter.answer.give(true) } else { waiters.append(waiter) }
        }
    }

    /// Comes back when `condition` holds, or throws `WaitedInVain`.
    func wait(
        until condition: @escaping () -> Bool, file: String = #fileID, line: Int = #line
    ) async throws {
        guard !condition() else { return }
        let answer = Answer<Bool>()
        waiters.append((condition, answer))
        try await answer.wait(file: file, line: line)
    }
}

/// A value that a callback sets and a test waits for.
final class Promise<Value>: Waitable {
    private(set) var values: [Value] = []

    func put(_ value: Value) {
        values.append(value)
        changed()
    }

    func value(file: String = #fileID, line: Int = #line) async throws -> Value {
        try await wait(until: { [self] in !values.isEmpty }, file: file, line: line)
        return values[0]
    }
}
