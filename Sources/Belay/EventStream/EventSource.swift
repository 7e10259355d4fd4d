public import BelayCore
public import BelayTransport
public import BelayWire

/// An event stream that comes back, loses nothing and applies nothing twice.
///
/// `process` is its scope: it connects, reconnects, and hands each event to the handler. The cursor
/// moves only after the handler returned, so a cut, a failing handler or a cancelled task leaves
/// the event to come again. An event that was committed is not handled again when it is replayed.
///
/// That goes by its id, which must be unique for the life of the stream: a server that numbers anew
/// has its new events taken for replays, unless the ledger's `ResumePolicy.duplicates` says
/// `.handled`. Events without an id are applied at least once.
///
/// Name the address that answers: a redirect to another origin is followed without the cursor and
/// without credentials, as no server may hand them to a third one, so that behind it each
/// connection begins anew.
///
/// ```swift
/// let feed = EventSource(url: try ConnectionURL("https://orders.example/events"))
/// try await feed.process { event in
///     try await store.apply(event)
/// }
/// ```
public final class EventSource: PathHintReceiver {
    /// What was processed. Give it to another `EventSource` to go on from there.
    public let ledger: any EventLedger
    /// Where it goes, as its address says.
    let host: String
    private let driver: ConnectionDriver<EventStreamRole>
    /// Waits between a handler's attempts.
    private let sleeper: Sleeper
    private let snapshotHook: SnapshotHook?
    private let generator: any RandomNumberGenerator & Sendable
    private let evidence: (@Sendable (EvidenceRecord) -> Void)?
    private let asides: (@Sendable (EventStreamAside) async -> Void)?

    /// An event stream at `url`; nothing happens before `process`. As `init(_:)`, for a `GET`
    /// with these fields.
    public convenience init(
        url: ConnectionURL,
        ledger: any EventLedger = MemoryLedger(),
        configuration: ConnectionConfiguration = ConnectionConfiguration(),
        fields: [RequestField] = [],
        limits: EventStreamLimits = .default,
        requestHook: RequestHook<EventStreamRequest>? = nil,
        snapshotHook: SnapshotHook? = nil,
        transport: any EventStreamTransport = DefaultTransport.eventStream,
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        evidence: (@Sendable (EvidenceRecord) -> Void)? = nil,
        asides: (@Sendable (EventStreamAside) async -> Void)? = nil
    ) {
        self.init(
            EventStreamRequest(url: url, fields: fields), ledger: ledger,
            configuration: configuration, limits: limits, requestHook: requestHook,
            snapshotHook: snapshotHook, transport: transport, generator: generator,
            evidence: evidence, asides: asides)
    }

    /// An event stream that `request` asks for; nothing happens before `process`.
    ///
    /// - Parameters:
    ///   - request: How each attempt asks, with its body; the cursor is put in from `ledger`.
    ///   - ledger: What was processed so far. By default nothing, kept in memory.
    ///   - configuration: Timeouts, waits and limits.
    ///   - limits: What an unfinished event may hold.
    ///   - requestHook: Completes the request of each attempt, such as by a fresh token.
    ///   - snapshotHook: Takes a snapshot where the server does not know the cursor any more.
    ///   - transport: What opens connections; the system's own by default.
    ///   - generator: Where waits are drawn from.
    ///   - evidence: Called for each thing that happens: for events on the task of `process`, for
    ///     the rest in the transport's domain. It must return soon; let it not hold this object.
    ///   - asides: Told of comments and ends, on the task of `process` and in order with the
    ///     events: while it works, no event is handed over. By default nobody is.
    public init(
        _ request: EventStreamRequest,
        ledger: any EventLedger = MemoryLedger(),
        configuration: ConnectionConfiguration = ConnectionConfiguration(),
        limits: EventStreamLimits = .default,
        requestHook: RequestHook<EventStreamRequest>? = nil,
        snapshotHook: SnapshotHook? = nil,
        transport: any EventStreamTransport = DefaultTransport.eventStream,
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        evidence: (@Sendable (EvidenceRecord) -> Void)? = nil,
        asides: (@Sendable (EventStreamAside) async -> Void)? = nil
    ) {
        self.ledger = ledger
        host = request.url.host
        self.generator = generator
        self.evidence = evidence
        self.snapshotHook = snapshotHook
        self.asides = asides
        sleeper = Sleeper(transport.domain)
        let policy = configuration.policy(
            ofStreamAsking: requestHook != nil, snapshot: snapshotHook)
        driver = ConnectionDriver(
            role: EventStreamRole(
                transport: transport,
                request: request,
                hook: requestHook,
                limits: limits,
                ledger: ledger,
                queue: DeliveryQueue(limit: configuration.delivery),
                snapshotHook: snapshotHook,
                policy: policy.reconnect,
                asides: asides == nil ? .dropped : .queued),
            machine: ConnectionMachine(
                heartbeat: Heartbeat(HeartbeatPolicy.off.numbers), policy: policy),
            generator: generator,
            evidence: evidence)
    }

    /// Hands each event to `handler`, one after the other, until the stream ends for good.
    ///
    /// Returns after `close()`, or when the server said that it is over (204). A handler that
    /// throws gets the same event again after a wait, as often as the ledger's policy allows; one
    /// that throws `SkipEvent` passes over its event. A handler that sleeps stops the reading. A
    /// block with an id and no data is no event, and moves the cursor itself, as in `deliveries`.
    /// - Throws: `BelayError`: `.closed` with the cause that no retry can mend, `.handlerGaveUp`,
    ///   `.ledgerFailed`, `.cursorCannotBeAskedFor`, `.cancelled`, `.alreadyReading`. The cursor
    ///   stands behind the last processed event.
    public func process(
        _ handler: (ServerSentEvent) async throws -> Void
    ) async throws(BelayError) {
        try await process(handler) { _ in try ledger.commit() }
    }

    /// The same, for a ledger that commits in a way of its own, with effects of the event.
    package func process(
        _ handler: (ServerSentEvent) async throws -> Void,
        committing commit: (ServerSentEvent) throws -> Void
    ) async throws(BelayError) {
        let reading = reading()
        defer { reading.end() }
        while let inHand = try await reading.next() {
            var result = EventRecord.Result.committed
            do {
                try await handler(inHand.event)
            } catch is SkipEvent {
                result = .passedOver
            } catch {
                reading.fail(inHand.number, with: error)
                continue
            }
            let settlement = try await reading.settle(inHand.number, as: result) {
                try commit(inHand.event)
            }
            guard case .stored = settlement else { return }
        }
    }

    /// A turn of the ledger and the connection, which begins with its first `next`.
    func reading() -> EventReading {
        EventReading(
            driver, ledger: ledger, snapshotHook: snapshotHook, sleeper: sleeper,
            generator: generator, evidence: evidence, asides: asides)
    }

    /// Ends the stream: the read, the timer and the request. `process` and `deliveries` end.
    ///
    /// The event in hand may still be committed. No other one is handed over, nor that one again,
    /// nor a comment: what had arrived behind the cursor comes again in another life. Nothing takes
    /// a close back.
    ///
    /// A `process` that was called before, and a loop that was begun, hears it also where it has
    /// not connected: it returns, and nothing opens. So does the first one of all, whenever it is
    /// called: its task may not have run yet. Later a close between two calls changes nothing, for
    /// nothing is open, and the next call connects; cancel a task that may not have run.
    public func close() {
        driver.close()
        sleeper.interrupt()
    }

    /// Tries at once where a wait has not passed. A user's retry is answered by a real attempt.
    ///
    /// Without effect outside of `process`, and behind a close.
    public func retryNow() {
        driver.submit(.connect)
    }

    /// Puts a new request in place of the present one, from the cursor.
    ///
    /// Without effect outside of `process`, and behind a close.
    public func reconnect() {
        driver.submit(.replace)
    }

    /// The app left the foreground: no attempts until it is back.
    ///
    /// `NetworkPath.enterBackground` and its counterpart tell every connection that it informs.
    public func enterBackground() {
        driver.submit(.background)
    }

    /// The app is back: a lost stream is opened again at once, or when a wait that the server
    /// asked for is over.
    public func enterForeground() {
        driver.submit(.foreground)
    }

    /// The system's path changed. May shorten a wait; never forbids anything.
    public func pathChanged(_ state: PathState) {
        driver.submit(.pathHint(state))
    }

    func whenOverslept(_ notice: @escaping @Sendable () -> Void) {
        driver.whenOverslept(notice)
    }

    /// The newest status.
    public var status: ConnectionStatus { driver.statuses.value }

    /// The present status and each newer one, for any number of readers, never out of order.
    ///
    /// Ends when nobody holds or reads the stream any more.
    public var statuses: LatestValues<ConnectionStatus> {
        LatestValues(source: driver.statuses)
    }

    /// How the newest attempt or connection went. The path never writes it, nor does `close`.
    public var outcome: RequestOutcome { driver.outcomes.value }

    /// The present outcome and each newer one, for any number of readers, never out of order.
    public var outcomes: LatestValues<RequestOutcome> {
        LatestValues(source: driver.outcomes)
    }
}
