import BelayCore
public import BelayFaults

/// What one scenario left behind: both sides, on one monotonic line. Everything is judged from it.
public struct Evidence: Hashable, Sendable {
    /// The client's side, in the order of recording.
    public var client: [ClientEntry]
    /// The endpoint's side, in the order of recording.
    public var endpoint: [EndpointEntry]
    /// How many entries of either side were not kept; above 0 nothing can be concluded.
    public var omitted: Int

    /// Evidence with both sides given.
    public init(
        client: [ClientEntry] = [], endpoint: [EndpointEntry] = [], omitted: Int = 0
    ) {
        self.client = client
        self.endpoint = endpoint
        self.omitted = omitted
    }
}

// What the rules read out of it.
extension Evidence {
    /// The evidence of each start of the app: generations count anew in each. Only the client's
    /// side is parted.
    var lives: [Evidence] {
        let parts = client.split(omittingEmptySubsequences: false) { entry in
            if case .app(let record) = entry { record.event == .restarted } else { false }
        }
        return parts.map { Evidence(client: Array($0)) }
    }

    var connections: [ConnectionRecord] {
        client.compactMap {
            if case .record(.connection(let record)) = $0 { record } else { nil }
        }
    }

    var events: [EventRecord] {
        client.compactMap {
            if case .record(.event(let record)) = $0 { record } else { nil }
        }
    }

    var paths: [PathRecord] {
        client.compactMap {
            if case .record(.path(let record)) = $0 { record } else { nil }
        }
    }

    var app: [AppRecord] {
        client.compactMap {
            if case .app(let record) = $0 { record } else { nil }
        }
    }

    /// The ends of generations, in order, each with its one cause.
    var ends: [(generation: Generation, cause: CloseCause, at: Milliseconds)] {
        connections.compactMap { record in
            record.cause.map { (record.generation, $0, record.at) }
        }
    }

    /// The attempts, in order: when each generation began.
    var attempts: [(generation: Generation, at: Milliseconds)] {
        connections.compactMap { record in record.attempt.map { ($0, record.at) } }
    }

    /// Accepted inputs of one kind, in order.
    func accepted(_ name: String) -> [ConnectionRecord] {
        connections.filter { $0.verdict == .accepted && $0.input.is(name) }
    }

    /// The requests that the endpoint read, in order.
    var requests: [(connection: Int, summary: RequestSummary, at: Milliseconds)] {
        endpoint.compactMap { entry in
            guard case .request(let summary) = entry.event else { return nil }
            return (entry.connection, summary, entry.at)
        }
    }

    /// The whole events that the endpoint sent, in order.
    var sentEvents: [(id: Int, connection: Int, at: Milliseconds)] {
        endpoint.compactMap { entry in
            guard case .eventSent(let id) = entry.event else { return nil }
            return (id, entry.connection, entry.at)
        }
    }

    /// Where the cursor stood at a moment, as the client recorded it.
    func cursor(at moment: Milliseconds) -> EventID? {
        events.last { $0.at <= moment }?.cursor
    }

    /// Since when the app wants nothing more; `nil` where it still wants a connection.
    var leftAt: Milliseconds? {
        app.reduce(nil) { left, record in
            switch record.event {
            case .left: record.at
            case .reading: nil
            default: left
            }
        }
    }
}

extension ClientEntry {
    /// Whether a generation began by it.
    var isAttempt: Bool {
        if case .record(.connection(let record)) = self { record.attempt != nil } else { false }
    }
}

extension ConnectionRecord {
    /// The generation that began by it; `nil` where none did.
    fileprivate var attempt: Generation? {
        guard case .connecting(let id) = after, before != after else { return nil }
        return id
    }
}

extension ConnectionInput {
    /// Whether the input is of the kind with this name.
    func `is`(_ name: String) -> Bool {
        String(describing: self.name) == name
    }
}
