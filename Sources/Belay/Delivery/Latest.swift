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
        var waiters: [UInt64: UnsafeContinuation<Void, Never>] = [:]
        var observers: UInt64 = 0
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

    /// No value follows: observers end after the newest.
    func finish() {
        change { $0.isFinished = true }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiters = state.withLock { state in
            body(&state)
            defer { state.waiters = [:] }
            return state.waiters.values.map { $0 }
        }
        for waiter in waiters { waiter.resume() }
    }

    /// A number for one observer's waits.
    func observer() -> UInt64 {
        state.withLock { state in
            state.observers += 1
            return state.observers
        }
    }

    /// The newest value after `version`, as soon as there is one; `nil` at the end.
    func next(after version: UInt64, for observer: UInt64) async -> (UInt64, Value)? {
        while !Task.isCancelled {
            let (newer, isFinished) = state.withLock { state in
                (state.version > version ? (state.version, state.value) : nil, state.isFinished)
            }
            if newer != nil || isFinished { return newer }
            await withTaskCancellationHandler {
                await withUnsafeContinuation { wait(with: $0, after: version, for: observer) }
            } onCancel: {
                state.withLock { $0.waiters.removeValue(forKey: observer) }?.resume()
            }
        }
        return nil
    }

    private func wait(
        with continuation: UnsafeContinuation<Void, Never>, after version: UInt64,
        for observer: UInt64
    ) {
        let isReady = state.withLock { state in
            guard state.version == version, !state.isFinished, !Task.isCancelled else {
                return true
            }
            state.waiters[observer] = continuation
            return false
        }
        if isReady { continuation.resume() }
    }
}

/// Newest values in order: a slow reader skips some, and never sees an older after a newer one.
public struct LatestValues<Value: Sendable>: AsyncSequence, Sendable {
    let source: Latest<Value>

    /// Reads from the present value on.
    public func makeAsyncIterator() -> Iterator {
        Iterator(source: source, observer: source.observer())
    }

    /// One reader.
    public struct Iterator: AsyncIteratorProtocol {
        let source: Latest<Value>
        let observer: UInt64
        var version: UInt64 = 0

        /// The present value at first, then each newer one; `nil` at the end or when cancelled.
        public mutating func next() async -> Value? {
            guard let (version, value) = await source.next(after: version, for: observer) else {
                return nil
            }
            self.version = version
            return value
        }
    }
}
