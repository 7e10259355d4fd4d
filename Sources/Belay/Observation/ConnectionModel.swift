public import BelayCore
public import Observation

/// What a screen shows of a connection, on the main actor: for SwiftUI and whoever observes.
///
/// It follows the connection's ordered sequences, so a slow screen skips values and never shows an
/// older one after a newer one. It shows; it decides nothing, and no state of it is a reason to
/// refuse a request.
///
/// ```swift
/// @State private var model = ConnectionModel(of: chat, on: path)
/// …
/// Text(model.banner.textKey)
/// ```
@MainActor @Observable
public final class ConnectionModel {
    /// The connection's newest status.
    public private(set) var status: ConnectionStatus
    /// How the newest attempt or connection went.
    public private(set) var outcome: RequestOutcome
    /// The newest word of the system's path; unknown where none is watched.
    public private(set) var hint: NetworkHint
    /// Whether a request succeeded though the system sees no path.
    public private(set) var contradiction = PathContradiction()

    @ObservationIgnored private var followers: [Task<Void, Never>] = []

    /// The banner for what is shown now.
    public var banner: Banner {
        Banner(
            path: hint.state, outcome: outcome, isContradicted: contradiction.stands)
    }

    /// A model of a WebSocket. It keeps neither the connection nor the path alive.
    public convenience init(of connection: WebSocketConnection, on path: NetworkPath? = nil) {
        self.init(
            statuses: connection.statuses, outcomes: connection.outcomes, hints: path?.hints)
    }

    /// A model of an event stream. It keeps neither the stream nor the path alive.
    public convenience init(of source: EventSource, on path: NetworkPath? = nil) {
        self.init(statuses: source.statuses, outcomes: source.outcomes, hints: path?.hints)
    }

    private init(
        statuses: LatestValues<ConnectionStatus>, outcomes: LatestValues<RequestOutcome>,
        hints: LatestValues<NetworkHint>?
    ) {
        status = statuses.source.value
        outcome = outcomes.source.value
        hint = hints?.source.value ?? NetworkHint()
        follow(statuses) { $0.status = $1 }
        follow(outcomes) { $0.take($1) }
        if let hints { follow(hints) { $0.take($1) } }
    }

    deinit {
        for follower in followers { follower.cancel() }
    }

    private func take(_ outcome: RequestOutcome) {
        self.outcome = outcome
        if outcome == .succeeded { contradiction.succeeded(under: hint) }
    }

    private func take(_ hint: NetworkHint) {
        // Neither cost nor reason makes another path, nor does the first value, with which this
        // model began. A restart may have been skipped, and shows in the generation.
        let isSamePath =
            (self.hint.generation, self.hint.state, self.hint.newest.change)
            == (hint.generation, hint.state, hint.newest.change)
        if !isSamePath { contradiction.hintChanged() }
        self.hint = hint
    }

    /// Shows each new value, until its source ends or this model goes.
    private func follow<Value: Equatable & Sendable>(
        _ values: LatestValues<Value>,
        _ show: @escaping @MainActor (ConnectionModel, Value) -> Void
    ) {
        followers.append(
            Task { @MainActor [weak self] in
                for await value in values {
                    guard let self else { return }
                    show(self, value)
                }
            })
    }
}
