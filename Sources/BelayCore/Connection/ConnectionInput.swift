/// What can happen to a connection. Whatever a transport or timer says carries its generation.
public enum ConnectionInput: Hashable, Sendable {
    // From the application.

    /// It wants to be connected, now: also where a wait has not passed.
    case connect
    /// It wants a new transport in place of the present one.
    case replace
    /// It wants no connection any more.
    case stop
    /// The app left the foreground: no beats, no attempts.
    case background
    /// The app is back: the connection is doubtful until it answers.
    case foreground
    /// Its hook has completed the attempt's request.
    case prepared(Generation)
    /// An event was processed: the connection was worth its place.
    case progressed(Generation)
    /// The snapshot in place of this generation's cursor was taken, or failed: ask again.
    case snapshotEnded(Generation)

    // From the transport.

    /// It opened.
    case opened(Generation)
    /// Bytes or a message came.
    case received(Generation)
    /// A part of a frame came; nothing else can come before the rest of it.
    case partlyReceived(Generation)
    /// A message's bytes left for the system.
    case sent(Generation)
    /// The ping of this number left for the system.
    case pingHandedOver(Generation, ping: UInt32)
    /// The ping of this number was answered.
    case pong(Generation, ping: UInt32)
    /// A pong came that answers no ping of ours.
    case unsolicitedPong(Generation)
    /// The server named its reconnection time, in milliseconds.
    case reconnectionTime(Generation, Milliseconds)
    /// The application lags: its transport's bytes are not read.
    case readingPaused(Generation)
    /// They are read again.
    case readingResumed(Generation)
    /// The transport ended; a refusing server may say for how many milliseconds to stay away.
    case ended(Generation, CloseCause, retryAfter: Milliseconds? = nil)

    // From the rest of the world.

    /// The timer that was armed while this generation was the newest fired.
    case deadlineReached(Generation)
    /// The system's hint changed or was repeated.
    case pathHint(PathState)
}

extension ConnectionInput {
    /// The generation the input carries; `nil` where it is the present one by nature.
    public var generation: Generation? {
        switch self {
        case .connect, .replace, .stop, .background, .foreground, .pathHint:
            nil
        case .prepared(let id), .progressed(let id), .snapshotEnded(let id), .opened(let id),
            .received(let id), .partlyReceived(let id), .sent(let id), .pingHandedOver(let id, _),
            .pong(let id, _),
            .unsolicitedPong(let id),
            .reconnectionTime(let id, _), .readingPaused(let id), .readingResumed(let id),
            .ended(let id, _, _), .deadlineReached(let id):
            id
        }
    }

    /// The kind in one word, as evidence and logs write it.
    public var name: StaticString {
        switch self {
        case .connect: "connect"
        case .replace: "replace"
        case .stop: "stop"
        case .background: "background"
        case .foreground: "foreground"
        case .prepared: "prepared"
        case .progressed: "progressed"
        case .snapshotEnded: "snapshotEnded"
        case .opened: "opened"
        case .received: "received"
        case .partlyReceived: "partlyReceived"
        case .sent: "sent"
        case .pingHandedOver: "pingHandedOver"
        case .pong: "pong"
        case .unsolicitedPong: "unsolicitedPong"
        case .reconnectionTime: "reconnectionTime"
        case .readingPaused: "readingPaused"
        case .readingResumed: "readingResumed"
        case .ended: "ended"
        case .deadlineReached: "deadlineReached"
        case .pathHint: "pathHint"
        }
    }
}
