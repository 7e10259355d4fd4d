import BelayTransport

/// What the peer of a contract does: the same for an endpoint on a socket and for a scripted one.
struct PeerPlan: Sendable {
    enum Opening: Equatable, Sendable {
        case accepts
        /// With this status, and 2 seconds of Retry-After.
        case refuses(status: Int)
        /// Takes the request and says nothing.
        case staysSilent
    }

    enum Reaction: Equatable, Sendable {
        case echoes
        case closes(code: UInt16)
        case vanishes
        case resets
    }

    var opening = Opening.accepts
    /// So many messages are pushed once open: `1`, `2`, …
    var greetings = 0
    /// What the first message brings about; all others are echoed.
    var atFirstMessage = Reaction.echoes
    /// How many pongs answer each ping, 0 to 2.
    var pongs = 1
}

/// A scripted peer that follows a plan: what it says, and in what order.
struct PlannedPeer {
    enum Utterance: Equatable {
        case message(WebSocketMessage)
        case close(code: UInt16)
        case vanish
        case reset
    }

    let plan: PeerPlan
    private var messages = 0

    init(_ plan: PeerPlan) {
        self.plan = plan
    }

    /// What it says once open.
    var greetings: [Utterance] {
        (0..<plan.greetings).map { .message(.text("\($0 + 1)")) }
    }

    /// What it says to this message.
    mutating func hear(_ message: WebSocketMessage) -> Utterance {
        messages += 1
        guard messages == 1 else { return .message(message) }
        return switch plan.atFirstMessage {
        case .echoes: .message(message)
        case .closes(let code): .close(code: code)
        case .vanishes: .vanish
        case .resets: .reset
        }
    }
}
