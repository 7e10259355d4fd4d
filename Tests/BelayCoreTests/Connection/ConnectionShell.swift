@testable import BelayCore

/// Performs the reactions of a connection machine as a driver would, and notes what no driver
/// could perform. It knows nothing of the machine's states.
struct ConnectionShell: Hashable {
    /// What a driver could not, or must not, do.
    enum Fault: Hashable {
        case orderedAfterIgnoring
        case closedWithoutOpenTransport
        case endedTwice
        case endedAnother
        case openedBesideAnother
        case numberNotGreater
        case openedUnwanted
        case openedInBackground
        case pingedWithoutOpenTransport
        case pingedTwice
        case pingedInBackground
        case heardFromTheDead
        case tookPongOfNothing
        case openedBeforeTheServerAllowed
        case openedWithACursorTooOld
    }

    /// How often in a row other credentials may be tried.
    let credentialAttempts: Int
    /// Whether another ping may follow one that was not answered in time.
    let mayMissPongs: Bool
    /// Whether somebody takes snapshots.
    let takesSnapshots: Bool
    private(set) var credentialRefusals = 0
    /// When the server wants the next attempt at the earliest.
    private(set) var notBefore: Milliseconds?

    /// The transport that exists.
    private(set) var live: Generation?
    private(set) var isOpened = false
    private(set) var isClosing = false
    private(set) var outstandingPing: UInt32?
    private(set) var openedAt: Milliseconds?
    private(set) var newest = Generation.zero
    private(set) var lastEnded = Generation.zero
    /// The app has a snapshot to take before the next attempt.
    private(set) var owesSnapshot = false
    /// The application wants a connection, and nobody said that it is no use.
    private(set) var isWanted = false
    private(set) var isInBackground = false
    /// The greatest time the machine was told.
    private(set) var seen = Milliseconds.min
    private(set) var fault: Fault?

    mutating func perform(
        _ reaction: ConnectionReaction, to input: ConnectionInput, at now: Milliseconds
    ) {
        seen = max(seen, now)
        hear(input, reaction.verdict)
        if reaction.verdict != .accepted, reaction != ConnectionReaction(reaction.verdict) {
            fault = .orderedAfterIgnoring
        }
        if let id = reaction.close { close(id) }
        if let end = reaction.ended { ended(end, isLast: reaction.open == nil) }
        if let id = reaction.open { open(id, isAsked: input.isOfTheApp) }
        if let ping = reaction.ping {
            if mayMissPongs, case .deadlineReached = input { outstandingPing = nil }
            send(ping)
        }
    }

    private mutating func hear(_ input: ConnectionInput, _ verdict: InputVerdict) {
        switch input {
        case .connect, .replace:
            if !isWanted { credentialRefusals = 0 }  // A new life.
            isWanted = true
        case .stop:
            isWanted = false
            owesSnapshot = false
        case .snapshotEnded:
            guard verdict == .accepted else { return }
            owesSnapshot = false
            return
        case .progressed where live == nil:
            return  // The handler returned after the end; no transport speaks.
        case .background: isInBackground = true
        case .foreground: isInBackground = false
        case .deadlineReached, .pathHint: return  // The newest number is right without transport.
        default:
            guard verdict == .accepted else { return }
            guard input.generation == live else { return fault = .heardFromTheDead }
        }
        guard verdict == .accepted else { return }
        if case .opened = input {
            isOpened = true
            openedAt = seen
            credentialRefusals = 0
        }
        if case .ended(_, _, let retryAfter?) = input { notBefore = seen + retryAfter }
        if case .pong(_, let ping) = input {
            if outstandingPing != ping { fault = .tookPongOfNothing }
            outstandingPing = nil
        }
    }

    private mutating func close(_ id: Generation) {
        if live != id || !isOpened || isClosing { fault = .closedWithoutOpenTransport }
        isClosing = true
        outstandingPing = nil
    }

    private mutating func ended(_ end: CloseFacts, isLast: Bool) {
        if end.generation <= lastEnded { fault = .endedTwice }
        if end.generation != live { fault = .endedAnother }
        lastEnded = end.generation
        live = nil
        isOpened = false
        isClosing = false
        outstandingPing = nil
        openedAt = nil
        let advice = end.cause.reconnectAdvice
        if isLast, isHopeless(advice) { isWanted = false }
        owesSnapshot = isLast && isWanted && advice == .takeSnapshot
    }

    private mutating func isHopeless(_ advice: ReconnectAdvice) -> Bool {
        if advice == .takeSnapshot { return !takesSnapshots }
        guard advice == .askForCredentials else { return advice == .stop }
        credentialRefusals += 1
        return credentialRefusals > credentialAttempts
    }

    private mutating func open(_ id: Generation, isAsked: Bool) {
        if live != nil { fault = .openedBesideAnother }
        if id <= newest { fault = .numberNotGreater }
        if !isWanted { fault = .openedUnwanted }
        if isInBackground && !isAsked { fault = .openedInBackground }
        if !isAsked, let notBefore, seen < notBefore { fault = .openedBeforeTheServerAllowed }
        if owesSnapshot { fault = .openedWithACursorTooOld }
        notBefore = nil
        live = id
        newest = id
    }

    private mutating func send(_ ping: ConnectionPing) {
        if live != ping.generation || !isOpened || isClosing { fault = .pingedWithoutOpenTransport }
        if outstandingPing != nil { fault = .pingedTwice }
        if isInBackground { fault = .pingedInBackground }
        outstandingPing = ping.number
    }
}

extension ConnectionInput {
    /// Whether a person may have asked for an attempt at once.
    fileprivate var isOfTheApp: Bool {
        switch self {
        case .connect, .replace: true
        default: false
        }
    }
}
