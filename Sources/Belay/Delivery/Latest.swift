import Synchronization

/// Publishes the newest value to any number of observers, in order.
///
/// A slow observer skips values; it never sees an older one after a newer one.
final class Latest<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        /// How many values there were, from 1. An observer remembers the last it saw.
        var version: UInt64 = 1
        var isFinished = false
        /// By ticket, in the order they came.
        var waiters: [(ticket: UInt64, continuation: UnsafeContinuation<Void, Never>)] = []
        var tickets: UInt64 = 0
    }

    private let state: Mutex<State>

    init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    /// The newest value.
    var value: Value { state.withLock { $0.value } }

    /// Replaces the value.
    func publish(_ value: Value) {
        change { state in
            state.value = value
            state.version += 1
        }
    }

    /// Replaces the value by one that is equal where anybody compares: no observer is woken.
    func amend(_ value: Value) {
        state.withLock { $0.value = value }
    }

    /// No value follows: observers end after the newest.
    func finish() {
        change { $0.isFinished = true }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiters = state.withLock { state in
            body(&state)
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume() }
    }

    /// The newest value after `version`, as soon as there is one; `nil` at the end.
    func next(after version: UInt64) async -> (UInt64, Value)? {
        while !Task.isCancelled {
            let (newer, isFinished, ticket) = state.withLock { state in
                state.tickets += 1
                let newer = state.version > version ? (state.version, state.value) : nil
                return (newer, state.isFinished, state.tickets)
            }
            if newer != nil || isFinished { return newer }
            await wait(after: version, ticket: ticket, isolation: #isolation)
        }
        return nil
    }

    /// Waits on the observer's own actor: a closure that does not capture it would leave it first.
    private func wait(
        after version: UInt64, ticket: UInt64, isolation: isolated (any Actor)?
    ) async {
        await withTaskCancellationHandler(
            operation: {
                _ = isolation
                await withUnsafeContinuation(isolation: isolation) {
                    store($0, after: version, ticket: ticket)
                }
            },
            onCancel: { cancel(ticket) },
            isolation: isolation)
    }

    /// Stores an observer's continuation, unless there is something for it by now.
    private func store(
        _ continuation: UnsafeContinuation<Void, Never>, after version: UInt64, ticket: UInt64
    ) {
        let isReady = state.withLock { state in
            guard state.version <= version, !state.isFinished, !Task.isCancelled else {
                return true
            }
            state.waiters.append((ticket, continuation))
            return false
        }
        if isReady { continuation.resume() }
    }

    private func cancel(_ ticket: UInt64) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.ticket == ticket }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume()
    }
}

/// Newest values in order: a slow reader skips some, and never sees an older after a newer one.
public struct LatestValues<Value: Sendable>: AsyncSequence, Sendable {
    let source: Latest<Value>

    /// Reads from the present value on.
    public func makeAsyncIterator() -> Iterator {
        Iterator(source: source)
    }

    /// One reader.
    public struct Iterator: AsyncIteratorProtocol {
        let source: Latest<Value>
        var version: UInt64 = 0

        /// The present value at first, then each newer one; `nil` at the end or when cancelled.
        public mutating func next() async -> Value? {
            guard let (version, value) = await source.next(after: version) else {
                return nil
            }
            self.version = version
            return value
        }

        /// The same, without leaving the reader's actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
            await next()
        }
    }
}
