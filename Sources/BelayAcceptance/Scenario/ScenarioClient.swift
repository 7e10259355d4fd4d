public import BelayCore

/// The client of a scenario: a real one of Belay's, and the app around it.
public struct ScenarioClient: Hashable, Sendable {
    /// What it speaks.
    public enum Kind: Hashable, Sendable {
        /// A WebSocket with this heartbeat in milliseconds.
        case webSocket(interval: Milliseconds, timeout: Milliseconds)
        /// An event stream with this app behind it.
        case eventStream(HandlerScript)
    }

    /// Where it connects to.
    public enum Destination: Hashable, Sendable {
        /// The scenario's endpoint, with this path and query.
        case endpoint(String)
        /// A port of the loopback at which nobody listens.
        case nobody
    }

    /// What it speaks.
    public var kind: Kind
    /// Where it connects to.
    public var destination: Destination
    /// Every number of its configuration that a scenario sets, in milliseconds.
    public var numbers: Numbers
    /// Further request fields.
    public var fields: [Field] = []

    /// A request field.
    public struct Field: Hashable, Sendable {
        let name: String
        let value: String

        /// A field with both parts given.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A WebSocket to `target`. The default interval leaves the heartbeat out of the way.
    public static func webSocket(
        _ target: String = "/ws", interval: Milliseconds = 60_000,
        timeout: Milliseconds = 10_000, _ numbers: Numbers = Numbers()
    ) -> ScenarioClient {
        ScenarioClient(
            kind: .webSocket(interval: interval, timeout: timeout),
            destination: .endpoint(target), numbers: numbers)
    }

    /// A WebSocket to `/ws`, with these numbers.
    public static func webSocket(_ numbers: Numbers) -> ScenarioClient {
        webSocket("/ws", numbers)
    }

    /// An event stream from `/events`, with these numbers.
    public static func eventStream(_ numbers: Numbers) -> ScenarioClient {
        eventStream("/events", numbers)
    }

    /// An event stream from `target`.
    public static func eventStream(
        _ target: String = "/events", handler: HandlerScript = HandlerScript(),
        _ numbers: Numbers = Numbers()
    ) -> ScenarioClient {
        ScenarioClient(
            kind: .eventStream(handler), destination: .endpoint(target), numbers: numbers)
    }

    /// The same client, whose address nobody listens at.
    public var toNobody: ScenarioClient {
        var client = self
        client.destination = .nobody
        return client
    }

    /// The numbers of a connection's configuration, in milliseconds.
    public struct Numbers: Hashable, Sendable {
        /// From the attempt to the opened connection.
        public var openTimeout: Milliseconds = 4_000
        /// For the closing handshake.
        public var closeTimeout: Milliseconds = 400
        /// The longest silence; `nil` for none.
        public var idleTimeout: Milliseconds?
        /// For the answer after a return to the foreground.
        public var probeTimeout: Milliseconds = 2_000
        /// The shortest and the longest first wait.
        ///
        /// Longer than a loaded machine takes to run a handler: what the next request says of the
        /// cursor must not depend on who is faster.
        public var wait: ClosedRange<Milliseconds> = 120...160
        /// The longest wait.
        public var longestWait: Milliseconds = 200
        /// Attempts in a row after which to stop; `nil` for never.
        public var attemptLimit: Int?
        /// How many elements may wait for the app.
        public var queuedElements = 64

        /// Numbers that keep a scenario short.
        public init() {}

        /// The same numbers with one changed.
        public static func with(_ change: (inout Numbers) -> Void) -> Numbers {
            var numbers = Numbers()
            change(&numbers)
            return numbers
        }
    }
}

/// What the app does with each event: its store applies an effect once for each id.
public struct HandlerScript: Hashable, Sendable {
    /// How an app takes events.
    public enum Form: Hashable, Sendable {
        /// By a handler, which `process` calls.
        case handler
        /// By a loop, which commits, skips or fails each delivery.
        case deliveries
    }

    /// How it takes events.
    public var form = Form.handler
    /// How often the handler fails on the event with this id before its effect happens.
    public var failuresBefore: [String: Int] = [:]
    /// How often it fails after the effect happened: the fall between effect and cursor.
    public var failuresAfter: [String: Int] = [:]
    /// The ids of events that it passes over.
    public var passesOver: Set<String> = []
    /// How long every event takes it, in milliseconds.
    public var pause: Milliseconds = 0
    /// The event with this id takes it until its task is cancelled.
    public var hangsOn: String?
    /// How often it may fail on one event; the ledger's default is 8.
    public var attemptLimit = 8
    /// The first and longest wait before it is given the event again, in milliseconds.
    public var wait: ClosedRange<Milliseconds> = 10...20
    /// Whether its store tells ids apart. A store that does not is broken on purpose.
    public var deduplicates = true
    /// The cursor that an earlier run left, as if the app had been started again.
    public var storedCursor: String?
    /// The id that its snapshot stands at, which it takes where the server answers 410 or says
    /// `X-Cursor: gone`; `nil` for an app that takes none.
    public var snapshot: String?

    /// A handler that never fails.
    public init() {}

    /// A handler with something changed.
    public static func with(_ change: (inout HandlerScript) -> Void) -> HandlerScript {
        var script = HandlerScript()
        change(&script)
        return script
    }
}
