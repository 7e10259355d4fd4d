/// Where a failure happened: what to look at first (E16).
public enum Stage: String, Hashable, Sendable, CaseIterable {
    // Of an event's way, as the article orders them.

    /// The request did not say the committed cursor.
    case requestHeader
    /// The endpoint did not send exactly what follows the cursor.
    case serverFilter
    /// An event was taken for whole that was not, or the reverse.
    case parserBoundary
    /// An effect happened twice.
    case deduplication
    /// An attempt came too early, too late, never, or after the app had left.
    case scheduling

    // Of a connection's life.

    /// Something of an old generation was believed.
    case identity
    /// A ping, an answer or a deadline was not as the policy says.
    case heartbeat
    /// A generation ended by another cause than it should, or by none, or by two.
    case close
    /// Nothing of the above: the connection did not carry what it should.
    case transport

    // Of the path.

    /// The hint, or what the screen makes of it.
    case pathHint

    /// The stage in words, as a report writes it.
    public var text: String {
        switch self {
        case .requestHeader: "request header"
        case .serverFilter: "server filter"
        case .parserBoundary: "parser boundary"
        case .deduplication: "deduplication"
        case .scheduling: "scheduling"
        case .identity: "identity"
        case .heartbeat: "heartbeat"
        case .close: "close"
        case .transport: "transport"
        case .pathHint: "path hint"
        }
    }
}
