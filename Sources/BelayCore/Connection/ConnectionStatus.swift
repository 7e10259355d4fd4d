/// What an application may see of its connection.
public enum ConnectionStatus: Hashable, Sendable {
    /// Never asked to connect.
    case idle
    /// An attempt is under way.
    case connecting(Generation)
    /// Open.
    case open(Generation)
    /// The closing handshake that we began is under way.
    case closing(Generation)
    /// The next attempt comes at this moment of the domain's line, in milliseconds.
    case waiting(until: Milliseconds)
    /// The cursor of this generation is too old; the next attempt comes after a snapshot.
    case awaitingSnapshot(Generation)
    /// In the background without a connection; the next attempt comes with the foreground, or
    /// after it where a server asked for a longer wait.
    case suspended
    /// Ended for good, by this cause; `connect` begins a new life.
    case stopped(CloseCause)
}

extension ConnectionStatus {
    /// The status in one word, as evidence and logs write it.
    public var name: StaticString {
        switch self {
        case .idle: "idle"
        case .connecting: "connecting"
        case .open: "open"
        case .closing: "closing"
        case .waiting: "waiting"
        case .awaitingSnapshot: "awaitingSnapshot"
        case .suspended: "suspended"
        case .stopped: "stopped"
        }
    }
}
