import BelayCore

extension EventSource {
    /// The events of the stream, one at a time, each to be settled before the next is asked for.
    ///
    /// The loop is the stream's scope, as `process` is: it connects, reconnects, and ends when the
    /// stream ended for good. The cursor moves by `commit()` and `skip()`, and by
    /// what is no event; see below.
    ///
    /// ```swift
    /// for try await delivery in feed.deliveries {
    ///     try await store.apply(delivery.event)
    ///     try await delivery.commit()
    /// }
    /// ```
    ///
    /// A delivery that is neither committed nor skipped when the next one is asked for has failed,
    /// as by `fail(_:)`: it comes again after a wait, and after as many attempts as the ledger's
    /// policy allows the loop throws `.handlerGaveUp`. So no event is lost by a forgotten `commit`.
    /// Leaving the loop, or cancelling its task, ends the stream; what was not settled comes again.
    ///
    /// A block that has an id and no data is no event: there is nothing to deliver, and nothing to
    /// commit. It moves the cursor by itself, in its place: behind the events before it, which are
    /// settled by then, and before those that follow. So a server that says where it stands by such
    /// blocks is resumed from the last of them. The evidence says `moved`. Source: HTML, 9.2.6.
    ///
    /// Throws as `process`. While the loop's body runs nothing is handed over, and beyond the
    /// configuration's `delivery` nothing is read.
    public var deliveries: Deliveries { Deliveries(source: self) }

    /// The events of a stream, each to be settled. One loop at a time: a second one throws.
    public struct Deliveries: AsyncSequence, Sendable {
        let source: EventSource

        /// Begins to read: the first `next` connects.
        public func makeAsyncIterator() -> Iterator {
            Iterator(scope: DeliveryScope(source.reading()))
        }

        /// The one reader.
        public struct Iterator: AsyncIteratorProtocol {
            let scope: DeliveryScope

            /// The next delivery; `nil` after `close()`, or when the server said that it is over.
            public mutating func next() async throws(BelayError) -> EventDelivery? {
                try await scope.next()
            }

            /// The same, without leaving the reader's actor.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(BelayError) -> EventDelivery? {
                try await scope.next()
            }
        }
    }
}

/// A loop's hold on the reading. A delivery that is kept does not hold it.
final class DeliveryScope {
    private let reading: EventReading

    init(_ reading: EventReading) {
        self.reading = reading
    }

    deinit {
        reading.end()
    }

    func next() async throws(BelayError) -> EventDelivery? {
        try await reading.next().map { EventDelivery($0, of: reading) }
    }
}
