public import BelayCore
public import BelayTransport
import BelayWire

/// A WebSocket connection that comes back, and whose old transports cannot touch the new session.
///
/// Reading `events` is its scope: the loop connects, reconnects, and ends when the connection ended
/// for good. Leaving the loop, or cancelling its task, closes the connection; the closing handshake
/// goes on by itself, no longer than the close timeout. Nothing connects while nobody reads.
///
/// ```swift
/// let chat = WebSocketConnection(url: try ConnectionURL("wss://chat.example/room"))
/// for await event in chat.events {
///     switch event {
///     case .opened(let generation, _): …
///     case .message(let message, _): …
///     case .closed(let end): …  // its generation, its one cause, and facts
///     }
/// }
/// ```
public final class WebSocketConnection: PathHintReceiver {
    /// Where it goes, as its address says.
    let host: String
    private let driver: ConnectionDriver<WebSocketRole>

    /// A connection to `url`; nothing happens before `events` is read.
    ///
    /// - Parameters:
    ///   - url: A `ws` or `wss` address.
    ///   - heartbeat: When to ping. By default about every 25 s, dead after 10 s.
    ///   - configuration: Timeouts, waits and limits.
    ///   - subprotocols: Offered in this order.
    ///   - fields: Request fields of the opening handshake, such as credentials.
    ///   - requestHook: Completes the request of each attempt, such as by a fresh token.
    ///   - transport: What opens connections; the system's own by default.
    ///   - generator: Where waits are drawn from.
    ///   - evidence: Called in the transport's domain for each thing that happens. It must return
    ///     soon, and is kept as long as the connection: let it not hold this object.
    public init(
        url: ConnectionURL,
        heartbeat: HeartbeatPolicy = .standard,
        configuration: ConnectionConfiguration = ConnectionConfiguration(),
        subprotocols: [String] = [],
        fields: [RequestField] = [],
        requestHook: RequestHook<WebSocketRequest>? = nil,
        transport: any WebSocketTransport = DefaultTransport.webSocket,
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        evidence: (@Sendable (EvidenceRecord) -> Void)? = nil
    ) {
        host = url.host
        let machine = ConnectionMachine(
            heartbeat: Heartbeat(heartbeat.numbers),
            policy: configuration.policy(asking: requestHook != nil))
        driver = ConnectionDriver(
            role: WebSocketRole(
                transport: transport,
                request: WebSocketRequest(url: url, subprotocols: subprotocols, fields: fields),
                hook: requestHook,
                queue: DeliveryQueue(limit: configuration.delivery),
                sends: PendingSends(
                    byteLimit: configuration.unsentBytes,
                    waitingLimit: configuration.waitingSends)),
            machine: machine,
            generator: generator,
            evidence: evidence)
    }

    /// What happens, in order. One reader at a time: a second one ends at once.
    ///
    /// The app's pace is the connection's: where events are not taken, the socket is not read.
    public var events: Events {
        Events(driver: driver)
    }

    /// Sends a message; returns when its bytes have left for the system.
    ///
    /// A peer slower than the app is felt here: beyond the configuration's `unsentBytes` a message
    /// waits, in the order of the calls. Never sent on a later generation than the one open now.
    /// - Throws: `BelayError`, `.notOpen`, `.congested`, `.closed` or `.cancelled`.
    public func send(_ message: WebSocketMessage) async throws(BelayError) {
        try await driver.send(message)
    }

    /// Sends a text message, like any other.
    public func send(_ text: String) async throws(BelayError) {
        try await send(.text(text))
    }

    /// Sends a binary message, like any other.
    public func send(_ bytes: [UInt8]) async throws(BelayError) {
        try await send(.binary(bytes))
    }

    /// Closes with code 1000; `events` ends when the peer answered, or after the close timeout.
    ///
    /// What had arrived is read to its end, and then the end is told. A loop over `events` that was
    /// begun before hears it also where it has not connected: it ends, and nothing opens. So does
    /// the first loop of all, whenever it is begun. Later a close between two loops changes
    /// nothing, and the next one connects.
    public func close() {
        driver.close()
    }

    /// Closes with a code and a reason of yours.
    ///
    /// - Parameters:
    ///   - code: 1000 to 1003, 1007 to 1014, or 3000 to 4999. Source: RFC 6455 §7.4.
    ///   - reason: For people at the peer's side. What does not fit 123 bytes of UTF-8 is cut at a
    ///     whole scalar: closing must not fail for its length.
    /// - Throws: `BelayError`, `.closeCodeNotAllowed`; the connection then stays as it is. Where
    ///   closing has begun already, or nothing is open, no frame of this call is sent.
    public func close(code: UInt16, reason: String = "") throws(BelayError) {
        guard CloseCode(rawValue: code).maySend else {
            throw BelayError(.closeCodeNotAllowed(code), generation: .zero)
        }
        driver.close(sending: WebSocketRole.Farewell(code: code, reason: reason))
    }

    /// Tries at once where a wait has not passed. A user's retry is answered by a real attempt.
    ///
    /// Without effect while nobody reads; once `events` ended for good, read them again instead.
    public func retryNow() {
        driver.submit(.connect)
    }

    /// Puts a new transport in place of the present one; `events` tells `closed` with `replaced`.
    ///
    /// Without effect while nobody reads, like `retryNow`.
    public func reconnect() {
        driver.submit(.replace)
    }

    /// The app left the foreground: no beats and no attempts until it is back.
    ///
    /// `NetworkPath.enterBackground` and its counterpart tell every connection that it informs.
    public func enterBackground() {
        driver.submit(.background)
    }

    /// The app is back: an open connection must answer a ping soon, a lost one is opened again.
    /// A wait that the server asked for goes on; `retryNow` does not heed it.
    public func enterForeground() {
        driver.submit(.foreground)
    }

    /// The system's path changed. May shorten a wait or trigger a ping; never forbids anything.
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
    /// Ends when nobody holds or reads the connection any more.
    public var statuses: LatestValues<ConnectionStatus> {
        LatestValues(source: driver.statuses)
    }

    /// How long pings of the newest generation with an answered one were on their way.
    public var roundTrip: RoundTrip? { driver.roundTrips.value }

    /// The present round trip and each newer one, for any number of readers.
    public var roundTrips: LatestValues<RoundTrip?> {
        LatestValues(source: driver.roundTrips)
    }

    /// How the newest attempt or connection went. The path never writes it, nor does `close`.
    public var outcome: RequestOutcome { driver.outcomes.value }

    /// The present outcome and each newer one, for any number of readers, never out of order.
    public var outcomes: LatestValues<RequestOutcome> {
        LatestValues(source: driver.outcomes)
    }
}

extension WebSocketConnection {
    /// What happens to a connection, in order. Reading it is the connection's scope.
    public struct Events: AsyncSequence, Sendable {
        let driver: ConnectionDriver<WebSocketRole>

        /// Begins to read: the first `next` connects.
        public func makeAsyncIterator() -> Iterator {
            Iterator(scope: ReadingScope(driver, after: driver.closes.value))
        }

        /// The one reader.
        public struct Iterator: AsyncIteratorProtocol {
            let scope: ReadingScope<WebSocketRole>

            /// The next event; `nil` when the connection ended for good, or when cancelled.
            public mutating func next() async -> WebSocketEvent? {
                await scope.next()
            }

            /// The next event, without leaving the reader's actor: no hop an element.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async -> WebSocketEvent? {
                await scope.element()
            }
        }
    }
}
