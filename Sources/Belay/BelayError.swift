public import BelayCore

/// What a call of Belay fails with.
public struct BelayError: Error, Hashable {
    /// Why, named by who acted.
    public enum Code: Hashable, Sendable {
        /// There is no open connection; wait for `opened`, or for the status `open`.
        case notOpen
        /// The connection ended first, by this cause. What was to be sent may have arrived.
        case closed(CloseCause)
        /// The configuration's `waitingSends` wait for room already; nothing of this one was sent.
        ///
        /// Wait for an earlier `send` to return: the way to the peer is slower than the app.
        case congested
        /// No Close frame may carry this code; see `WebSocketConnection.close(code:reason:)`.
        case closeCodeNotAllowed(UInt16)
        /// The calling task was cancelled. What was to be sent may have arrived.
        case cancelled
        /// The handler failed as often as the policy allows; the cursor stands before the event.
        ///
        /// Or a delivery was not settled as often, before the next one was asked for.
        ///
        /// `underlying` has the handler's last error. Processing again begins with that event.
        case handlerGaveUp
        /// The ledger could not read or store, also not after waits; the cursor stands before the
        /// event.
        ///
        /// `underlying` has its error. What the handler did outside of the ledger's transaction
        /// has happened: it comes again with the event.
        case ledgerFailed
        /// A cursor that no request can say came from here: nothing was asked for or stored.
        ///
        /// `underlying` names the byte, and the generation is the snapshot's. Without the cursor a
        /// server would send all again, or nobody would know what was lost. Answer another id, or
        /// let the ledger begin at one. Source: `EventID.canBeAskedFor`.
        case cursorCannotBeAskedFor(CursorOrigin)
        /// This delivery is no longer in the app's hand, and nothing was stored by this call.
        ///
        /// It was settled before or has failed, or its loop went on or ended. An event that was
        /// not settled comes again, in a delivery of its own.
        case deliveryOver
        /// Another task reads this connection, or processes with its ledger: one at a time.
        case alreadyReading
    }

    /// Where an app gives an `EventSource` its cursor.
    public enum CursorOrigin: Hashable, Sendable {
        /// `EventLedger.cursor`, as it stood when processing began.
        case ledger
        /// `Resumption.from`, a `SnapshotHook`'s answer. The ledger's cursor stays.
        case snapshot
    }

    /// Why.
    public let code: Code
    /// The generation it happened in; `.zero` where there was none.
    public let generation: Generation
    /// The text of the error beneath; `nil` where there is none.
    public let underlying: String?

    init(_ code: Code, generation: Generation, underlying: String? = nil) {
        self.code = code
        self.generation = generation
        self.underlying = underlying
    }
}
