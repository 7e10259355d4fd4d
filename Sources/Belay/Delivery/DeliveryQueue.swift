import Synchronization

/// The one hand-over from the domain to the app's task: ordered, bounded, single consumer.
///
/// The producer never waits. It is told when the queue is above its high-water mark, and told to
/// go on once the consumer came below the low one. `AsyncStream` can do neither, at thirty times
/// the cost an element.
final class DeliveryQueue<Element: Sendable>: Sendable {
    private struct State {
        /// A taken element is `nil`, so that its memory does not wait for the array's.
        var elements: [(element: Element?, weight: Int)] = []
        /// Index of the oldest element; what lies before it was taken.
        var head = 0
        var weight = 0
        var isFull = false
        var isFinished = false
        var waiter: UnsafeContinuation<Void, Never>?

        var count: Int { elements.count - head }

        /// Takes the oldest. Half of the array is let go at once: one move an element, amortised.
        mutating func take() -> Element? {
            guard count > 0 else { return nil }
            let element = elements[head].element.take()
            weight -= elements[head].weight
            head += 1
            if head * 2 >= elements.count {
                elements.removeFirst(head)
                head = 0
            }
            return element
        }

        mutating func retract() {
            guard count > 0 else { return }
            weight -= elements.removeLast().weight
        }

        func isAboveHighWater(of limit: DeliveryLimit) -> Bool {
            count >= limit.elements || weight >= limit.bytes
        }

        func isBelowLowWater(of limit: DeliveryLimit) -> Bool {
            count <= limit.elements / 2 && weight <= limit.bytes / 2
        }
    }

    private let state = Mutex(State())
    private let limit: DeliveryLimit

    init(limit: DeliveryLimit) {
        self.limit = limit.inRange
    }

    // MARK: Producer

    /// Whether the producer was told to stop, and not to go on since.
    var isFull: Bool { state.withLock { $0.isFull } }

    /// Adds `element`, which counts `weight` bytes. What comes after `finish` is dropped.
    func push(_ element: Element, weight: Int) -> DeliveryPace {
        let (pace, waiter) = state.withLock {
            state -> (DeliveryPace, UnsafeContinuation<Void, Never>?) in
            guard !state.isFinished else { return (.flowing, nil) }
            state.elements.append((element, weight))
            state.weight += weight
            if state.isAboveHighWater(of: limit) { state.isFull = true }
            return (state.isFull ? .full : .flowing, state.waiter.take())
        }
        waiter?.resume()
        return pace
    }

    /// Takes the newest elements back if the queue is full: as many as `obsolete` counts.
    ///
    /// `obsolete` is given the newest element and the one before it. A push must follow: the queue
    /// stays full, and the consumer says that it is drained when it takes something.
    func retractIfFull(_ obsolete: (_ newest: Element, _ before: Element?) -> Int) {
        state.withLock { state in
            let count = state.count
            guard state.isFull, count > 0,
                let newest = state.elements[state.head + count - 1].element
            else { return }
            let before = count > 1 ? state.elements[state.head + count - 2].element : nil
            for _ in 0..<obsolete(newest, before) { state.retract() }
        }
    }

    /// Nothing follows: the consumer gets what is queued, then `nil`.
    func finish() {
        let waiter = state.withLock { state in
            state.isFinished = true
            return state.waiter.take()
        }
        waiter?.resume()
    }

    // MARK: Consumer

    /// Begins a consumer's turn, with an empty queue.
    func begin() {
        reset { $0 = State() }
    }

    /// Ends the consumer's turn: what is queued is dropped, and nothing more is taken in.
    func end() {
        reset {
            $0 = State()
            $0.isFinished = true
        }
    }

    /// Elements are let go outside of the lock: there may be many.
    private func reset(_ body: (inout State) -> Void) {
        let dropped = state.withLock { state in
            precondition(state.waiter == nil, "the consumer waits while its turn changes")
            defer { body(&state) }
            return state.elements
        }
        _ = consume dropped
    }

    /// The oldest element, as soon as there is one; `nil` at the end or when cancelled.
    ///
    /// Calls `drained` when the producer, told to stop, may go on. One task at a time.
    func next(drained: () -> Void) async -> Element? {
        while !Task.isCancelled {
            switch pop(drained: drained) {
            case .element(let element): return element
            case .finished: return nil
            case .nothing: break
            }
            await wait(isolation: #isolation)
        }
        return nil
    }

    /// Waits on the reader's own actor: a closure that does not capture it would leave it first.
    private func wait(isolation: isolated (any Actor)?) async {
        await withTaskCancellationHandler(
            operation: {
                _ = isolation
                await withUnsafeContinuation(isolation: isolation) { store($0) }
            },
            onCancel: { state.withLock { $0.waiter.take() }?.resume() },
            isolation: isolation)
    }

    /// The oldest element, if there is one. For the task that also calls `next`.
    func take(drained: () -> Void) -> Element? {
        guard case .element(let element) = pop(drained: drained) else { return nil }
        return element
    }

    private enum Popped {
        case element(Element)
        case finished
        case nothing
    }

    private func pop(drained: () -> Void) -> Popped {
        let (popped, isDrained) = state.withLock { state -> (Popped, Bool) in
            guard let element = state.take() else {
                return (state.isFinished ? .finished : .nothing, false)
            }
            let isDrained = state.isFull && state.isBelowLowWater(of: limit)
            if isDrained { state.isFull = false }
            return (.element(element), isDrained)
        }
        if isDrained { drained() }
        return popped
    }

    /// Stores the consumer's continuation, unless there is something for it by now.
    private func store(_ continuation: UnsafeContinuation<Void, Never>) {
        let isReady = state.withLock { state in
            guard state.count == 0, !state.isFinished, !Task.isCancelled else { return true }
            precondition(state.waiter == nil, "two tasks wait for one reader's next element")
            state.waiter = continuation
            return false
        }
        if isReady { continuation.resume() }
    }
}

/// What a push did to the producer's pace.
enum DeliveryPace {
    /// Go on.
    case flowing
    /// Above high water: stop until the consumer's `next` says that it is drained.
    case full
}

/// How much waits for the app before its connection is no longer read.
///
/// A number below its range is raised to it.
public struct DeliveryLimit: Hashable, Sendable {
    /// Messages or events, at least 2. Default 64: a screenful.
    public var elements: Int
    /// Bytes of payload, at least 1. Default 1 MiB.
    ///
    /// What the system had handed over in the same read comes on top: up to one read and one
    /// message.
    public var bytes: Int

    /// A limit; reading resumes at half of both.
    public init(elements: Int = 64, bytes: Int = 1 << 20) {
        self.elements = elements
        self.bytes = bytes
    }

    /// The limit as the queue counts it. Below its range the low water would be none at all.
    fileprivate var inRange: DeliveryLimit {
        DeliveryLimit(elements: max(2, elements), bytes: max(1, bytes))
    }
}
