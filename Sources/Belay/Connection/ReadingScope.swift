import BelayCore

/// Why a reader got its last element.
enum ReadingEnd: Hashable {
    /// The connection ended for good.
    case stopped(CloseCause)
    /// The reader's task was cancelled.
    case cancelled
    /// Another reader was first.
    case refused
}

/// A reader's scope: the first read connects; letting it go stops the driver.
///
/// So a `for await` over a connection is all the structure there is: no task, no handle to keep.
final class ReadingScope<Role: ConnectionRole> {
    private enum State {
        case before
        /// Asks to be the connection's reader.
        case beginning
        case reading
        case over(ReadingEnd)
    }

    private let driver: ConnectionDriver<Role>
    /// The driver's. Asked directly, since a driver that is weakly known is slow to retain.
    private let queue: DeliveryQueue<Role.Element>
    /// How often the program had closed when the reader was called: it hears each close since.
    private let closes: Int
    private var state = State.before

    init(_ driver: ConnectionDriver<Role>, after closes: Int) {
        self.driver = driver
        queue = driver.queue
        self.closes = closes
    }

    deinit {
        leave(.cancelled)
    }

    /// Why there are no more elements; meaningful once `next` returned `nil`.
    var end: ReadingEnd {
        switch state {
        case .before, .beginning, .reading: .cancelled
        case .over(let end): end
        }
    }

    /// The next element, where it is there already: no suspension, which costs more than all else.
    func take() -> Role.Element? {
        guard case .reading = state, !Task.isCancelled else { return nil }
        return queue.take { driver.drained() }
    }

    /// The next element; `nil` at the end.
    func next() async -> Role.Element? {
        guard await isReading() else { return nil }
        if let element = await queue.next(drained: { driver.drained() }) { return element }
        leave(endOfQueue)
        return nil
    }

    /// The next element, at once where it is there already; `nil` at the end.
    func element() async -> Role.Element? {
        if let element = take() { return element }
        return await next()
    }

    private func isReading() async -> Bool {
        switch state {
        case .reading:
            return true
        case .over:
            return false
        case .beginning:
            preconditionFailure("two tasks begin to read one iterator")
        case .before:
            guard !Task.isCancelled else {
                state = .over(.cancelled)
                driver.forgo()
                return false
            }
            state = .beginning
            if let end = await driver.begin(after: closes) {
                state = .over(end)
                return false
            }
            state = .reading
            return true
        }
    }

    /// The queue ends when the status says stopped, or for a cancelled reader.
    private var endOfQueue: ReadingEnd {
        switch driver.statuses.value {
        case .stopped(let cause) where !Task.isCancelled: .stopped(cause)
        case .idle, .connecting, .open, .closing, .waiting, .awaitingSnapshot, .suspended, .stopped:
            .cancelled
        }
    }

    private func leave(_ end: ReadingEnd) {
        guard case .reading = state else { return }
        state = .over(end)
        driver.leave()
    }
}
