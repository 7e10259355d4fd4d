import Synchronization

/// The one hand-over from the domain to the app's task: ordered, bounded, single consumer.
///
/// The producer never waits. It is told when the queue is above its high-water mark, and told to
/// go on once the consumer came below the low one. `AsyncStream` can do neither, at thirty times
/// the cost an element.
final class DeliveryQueue<Element: Sendable>: Sendable {
    private struct State {
        var elements: [(element: Element, weight: Int)] = []
        /// Index of the oldest element; what lies before it was taken.
        var head = 0
        var weight = 0
        var isFull = false
        var isFinished = false
        var hasConsumer = false
        var waiter: UnsafeContinuation<Void, Never>?

        var isEmpty: Bool { head == elements.count }

        /// Takes the oldest; the taken half is let go at once: one move an element, amortised.
        mutating func take() -> Element {
            let (element, taken) = elements[head]
            head += 1
            weight -= taken
            if head * 2 >= elements.count {
                elements.removeFirst(head)
                head = 0
            }
            return element
        }

        func isAboveHighWater(of limit: DeliveryLimit) -> Bool {
            elements.count - head >= limit.elements || weight >= limit.bytes
        }

        func isBelowLowWater(of limit: DeliveryLimit) -> Bool {
            elements.count - head <= limit.elements / 2 && weight <= limit.bytes / 2
        }
    }

    private let state = Mutex(State())
    private let limit: DeliveryLimit

    init(limit: DeliveryLimit) {
        self.limit = limit
    }

    // MARK: Producer

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
    /// `obsolete` is given the newest element and the one before it.
    func retractIfFull(_ obsolete: (_ newest: Element, _ before: Element?) -> Int) {
        state.withLock { state in
            guard state.isFull, let newest = state.elements.last, !state.isEmpty else { return }
            let before = state.elements.dropLast().dropFirst(state.head).last
            for _ in 0..<obsolete(newest.element, before?.element) {
                state.weight -= state.elements.removeLast().weight
            }
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

    /// Begins a consumer's turn: an empty queue. `false` where another has it already.
    func begin() -> Bool {
        state.withLock { state in
            guard !state.hasConsumer else { return false }
            state = State()
            state.hasConsumer = true
            return true
        }
    }

    /// Ends the consumer's turn: what is queued is dropped.
    func end() {
        state.withLock { state in
            state.hasConsumer = false
            state.isFinished = true
            state.elements = []
            state.head = 0
        }
    }

    /// The oldest element, as soon as there is one; `nil` at the end or when cancelled.
    ///
    /// Calls `drained` when the producer, told to stop, may go on.
    func next(drained: () -> Void) async -> Element? {
        while !Task.isCancelled {
            switch pop(drained: drained) {
            case .element(let element): return element
            case .finished: return nil
            case .nothing: break
            }
            await withTaskCancellationHandler {
                await withUnsafeContinuation { wait(with: $0) }
            } onCancel: {
                state.withLock { $0.waiter.take() }?.resume()
            }
        }
        return nil
    }

    private enum Popped {
        case element(Element)
        case finished
        case nothing
    }

    private func pop(drained: () -> Void) -> Popped {
        let (popped, isDrained) = state.withLock { state -> (Popped, Bool) in
            guard !state.isEmpty else { return (state.isFinished ? .finished : .nothing, false) }
            let element = state.take()
            let isDrained = state.isFull && state.isBelowLowWater(of: limit)
            if isDrained { state.isFull = false }
            return (.element(element), isDrained)
        }
        if isDrained { drained() }
        return popped
    }

    /// Stores the consumer's continuation, unless there is something for it by now.
    private func wait(with continuation: UnsafeContinuation<Void, Never>) {
        let isReady = state.withLock { state in
            guard state.isEmpty, !state.isFinished, !Task.isCancelled else { return true }
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
        precondition(elements >= 2, "elements \(elements): at least 2")
        precondition(bytes >= 1, "bytes \(bytes): at least 1")
        self.elements = elements
        self.bytes = bytes
    }
}
