import Synchronization

/// One answer that one task waits for. The first that is given counts; later ones are dropped.
///
/// The way for an app's task into a domain and back: `submit` work that gives the answer. A task
/// that awaited an actor of the domain instead might go on there, on the loop's thread: Swift 6.3
/// may leave out the hop back before a call that inherits isolation. Where a task waits by a
/// continuation it is resumed where it was.
package final class Answer<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(UnsafeContinuation<Value, Never>)
        case given(Value)
    }

    private let state = Mutex(State.open)

    /// An answer that nobody gave yet.
    package init() {}

    /// Answers. Any thread may; `false` where it was answered before.
    @discardableResult
    package func give(_ value: Value) -> Bool {
        let (isFirst, waiting) = state.withLock {
            state -> (Bool, UnsafeContinuation<Value, Never>?) in
            switch state {
            case .open:
                state = .given(value)
                return (true, nil)
            case .awaited(let continuation):
                state = .given(value)
                return (true, continuation)
            case .given:
                return (false, nil)
            }
        }
        waiting?.resume(returning: value)
        return isFirst
    }

    /// Whether it was answered, or its task gave up: work for it can be left undone.
    package var isGiven: Bool {
        state.withLock { if case .given = $0 { true } else { false } }
    }

    /// The answer, as soon as it is given. One task waits, once.
    package func value() async -> Value {
        await withUnsafeContinuation { continuation in
            let given = state.withLock { state -> Value? in
                switch state {
                case .open:
                    state = .awaited(continuation)
                    return nil
                case .given(let value):
                    return value
                case .awaited:
                    preconditionFailure("two tasks wait for one answer")
                }
            }
            if let given { continuation.resume(returning: given) }
        }
    }

    /// The answer, or `fallback` as soon as the waiting task is cancelled.
    package func value(ifCancelled fallback: Value) async -> Value {
        await withTaskCancellationHandler {
            await value()
        } onCancel: {
            give(fallback)
        }
    }
}

extension SerialDomain {
    /// Runs `work` in the domain's next turn; the caller goes on where it was.
    package func call<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        let answer = Answer<Value>()
        submit { answer.give(work()) }
        return await answer.value()
    }
}
