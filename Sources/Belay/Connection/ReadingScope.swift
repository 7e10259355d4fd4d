import BelayCore

/// A driver as its reader and its owner see it, whatever its transport.
protocol ReadableConnection<Element>: AnyObject, Sendable {
    associatedtype Element: Sendable

    var queue: DeliveryQueue<Element> { get }
    var statuses: Latest<ConnectionStatus> { get }
    var outcomes: Latest<RequestOutcome> { get }

    func submit(_ input: ConnectionInput)
    func begin() async -> Bool
    func leave()
    func drained()
}

extension ConnectionDriver: ReadableConnection {
    typealias Element = Role.Element
}

/// Why a reader got its last element.
enum ReadingEnd: Hashable {
    /// The connection ended for good.
    case stopped(CloseCause)
    /// The reader's task was cancelled.
    case cancelled
    /// Another reader was first.
    case refused
}

/// A reader's scope: the first read connects; letting it go stops the connection.
///
/// So a `for await` over a connection is all the structure there is: no task, no handle to keep.
final class ReadingScope<Element: Sendable> {
    private enum State {
        case before
        /// Asks to be the connection's reader.
        case beginning
        case reading
        case over(ReadingEnd)
    }

    private let connection: any ReadableConnection<Element>
    private var state = State.before

    init(_ connection: any ReadableConnection<Element>) {
        self.connection = connection
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

    /// The next element; `nil` at the end.
    func next() async -> Element? {
        guard await isReading() else { return nil }
        if let element = await connection.queue.next(drained: connection.drained) {
            return element
        }
        leave(endOfQueue)
        return nil
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
                return false
            }
            state = .beginning
            guard await connection.begin() else {
                state = .over(.refused)
                return false
            }
            state = .reading
            return true
        }
    }

    /// The queue ends when the status says stopped, or for a cancelled reader.
    private var endOfQueue: ReadingEnd {
        switch connection.statuses.value {
        case .stopped(let cause) where !Task.isCancelled: .stopped(cause)
        case .idle, .connecting, .open, .closing, .waiting, .suspended, .stopped: .cancelled
        }
    }

    private func leave(_ end: ReadingEnd) {
        guard case .reading = state else { return }
        state = .over(end)
        connection.leave()
    }
}
