public import BelayCore
public import Observation

/// What a screen shows of several hosts, on the main actor: how the newest request to each went.
///
/// One server's failure is no banner of another's. It follows connections by their hosts, and is
/// told of requests that others make, such as URLSession. It shows; it decides nothing.
///
/// ```swift
/// @State private var hosts = HostOutcomesModel(on: path)
/// …
/// hosts.follow(chat)
/// hosts.record(.failed(.timedOut), of: "images.example")
/// …
/// Text(hosts.banner(of: "chat.example").textKey)
/// ```
@MainActor @Observable
public final class HostOutcomesModel {
    /// How the newest request to each host ended.
    public private(set) var outcomes: HostOutcomes
    /// The newest word of the system's path; unknown where none is watched.
    public private(set) var hint: NetworkHint

    /// By what they follow: each at most once, and no longer than it has something to say.
    @ObservationIgnored private(set) var followers: [ObjectIdentifier: Task<Void, Never>] = [:]

    /// No host was asked yet. It does not keep the path alive.
    ///
    /// `limit`, at least 1, is how many hosts are remembered; by default 64, more than an app has.
    public init(on path: NetworkPath? = nil, limit: Int = 64) {
        outcomes = HostOutcomes(limit: limit)
        hint = path?.hint ?? NetworkHint()
        if let path { follow(path.hints) { $0.take($1) } }
    }

    deinit {
        for follower in followers.values { follower.cancel() }
    }

    /// From now on shows how this connection's attempts and transports end, as of the host that
    /// its address names, also where its request hook or a redirect leads elsewhere.
    ///
    /// It does not keep the connection alive. One that is followed already is followed once.
    public func follow(_ connection: WebSocketConnection) {
        follow(connection.outcomes, of: connection.host)
    }

    /// The same of an event stream.
    public func follow(_ source: EventSource) {
        follow(source.outcomes, of: source.host)
    }

    /// A request that somebody else made to `host` ended like this.
    public func record(_ outcome: RequestOutcome, of host: String) {
        outcomes.record(outcome, of: host, under: hint)
    }

    /// The banner for a screen that is about `host`.
    public func banner(of host: String) -> Banner {
        outcomes.banner(of: host, on: hint)
    }

    private func take(_ hint: NetworkHint) {
        outcomes.hintChanged(from: self.hint, to: hint)
        self.hint = hint
    }

    private func follow(_ values: LatestValues<RequestOutcome>, of host: String) {
        follow(values) { model, outcome in
            // A connection that has not been anywhere says nothing of its host.
            if outcome != .none { model.record(outcome, of: host) }
        }
    }

    /// Shows each new value, until its source ends or this model goes.
    private func follow<Value: Sendable>(
        _ values: LatestValues<Value>,
        _ show: @escaping @MainActor (HostOutcomesModel, Value) -> Void
    ) {
        let id = ObjectIdentifier(values.source)
        guard followers[id] == nil else { return }
        followers[id] = Task { @MainActor [weak self] in
            for await value in values {
                guard let self else { return }
                show(self, value)
            }
            self?.followers[id] = nil
        }
    }
}
