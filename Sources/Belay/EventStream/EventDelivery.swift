public import BelayCore
public import BelayWire

/// An event in the app's hand, until it is committed, skipped or failed.
///
/// It is settled once. Whoever settles it again, or after its loop went on or ended, gets
/// `.deliveryOver`, and the cursor does not move. It stays in the loop's isolation: no other task
/// can settle it beside the loop.
public struct EventDelivery {
    /// The event.
    public let event: ServerSentEvent
    /// The generation whose transport brought it.
    public let generation: Generation
    /// How often it was handed over, with this time: from 1, up to the policy's limit.
    public let attempt: Int
    private let number: UInt64
    private let reading: EventReading

    init(_ event: EventReading.InHand, of reading: EventReading) {
        self.event = event.event
        generation = event.generation
        attempt = event.attempt
        number = event.number
        self.reading = reading
    }

    /// The event's effect has happened: its id and the cursor are stored when this returns.
    ///
    /// Where the ledger cannot store, it is asked again after a wait, as often as its policy
    /// allows; the event is not handed over again meanwhile.
    /// - Throws: `BelayError`: `.deliveryOver`; `.ledgerFailed`, `.cancelled` or
    ///   `.closed(.closedLocally)` where it was not stored. Then the stream has ended, and the
    ///   event comes again.
    public func commit() async throws(BelayError) {
        try await settle(as: .committed) { try reading.ledger.commit() }
    }

    /// Passes over the event: the cursor moves, the id counts as committed, and the evidence says
    /// `passedOver`, as a `SQLiteLedger`'s record does. For an event that the app will never be
    /// able to handle.
    /// - Throws: As `commit`.
    public func skip() async throws(BelayError) {
        try await settle(as: .passedOver) { try reading.ledger.passOver() }
    }

    /// The event could not be handled: it is the loop's next delivery again, after a wait.
    ///
    /// After as many attempts as the ledger's policy allows the loop throws `.handlerGaveUp`, with
    /// the text of `error`. A delivery that is no longer in hand is left as it is.
    public func fail(_ error: any Error) {
        reading.fail(number, with: error)
    }

    /// `commit` for a ledger of a kind of its own, with effects of the event.
    package func commit<Ledger: EventLedger>(
        to kind: Ledger.Type, storing store: (Ledger) throws -> Void
    ) async throws(BelayError) {
        guard let ledger = reading.ledger as? Ledger else {
            preconditionFailure("this commit needs a stream whose ledger is a \(kind)")
        }
        try await settle(as: .committed) { try store(ledger) }
    }

    private func settle(
        as result: EventRecord.Result, storing store: () throws -> Void
    ) async throws(BelayError) {
        switch try await reading.settle(number, as: result, storing: store) {
        case .stored: return
        case .closed: throw BelayError(.closed(.closedLocally), generation: generation)
        }
    }
}

/// What a handler throws to pass over its event, as `EventDelivery.skip()` does.
///
/// The cursor moves behind the event and its id counts as committed. What the handler wrote by a
/// ledger's transaction is rolled back.
public struct SkipEvent: Error, Hashable {
    /// Passes over the event in hand.
    public init() {}
}
