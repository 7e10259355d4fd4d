import Testing

@testable import BelayCore

/// An app under a replay: hint, outcome, connection and downloads, joined as drivers join them.
struct ReplayedApp {
    private(set) var hint = NetworkHint()
    private(set) var outcome = RequestOutcome.none
    private(set) var contradiction = PathContradiction()
    private(set) var connection: DrivenConnection
    private(set) var shell = ConnectionShell(
        credentialAttempts: 0, mayMissPongs: false, takesSnapshots: false)
    private(set) var downloads = DeferredWork<String>()
    /// The downloads that were begun.
    private(set) var begun: [String] = []
    private(set) var attempts = 0
    private(set) var pings = 0
    /// What must never be, and was.
    private(set) var faults: [String] = []

    private let offset: UInt64
    private var isReported = false
    private var changes: UInt32 = 0
    private var now: Milliseconds = 0

    /// Generations are numbered from `offset` + 1.
    init(offset: UInt64 = 0) {
        self.offset = offset
        var heartbeat = Heartbeat(interval: 25_000, timeout: 10_000)
        for _ in 0..<offset {
            _ = heartbeat.connect()
            _ = hint.restart()
        }
        heartbeat.ended(heartbeat.generation)
        connection = DrivenConnection(heartbeat: heartbeat)
    }

    var banner: Banner {
        Banner(path: hint.state, outcome: outcome, isContradicted: contradiction.stands)
    }

    /// Takes one step; `shift` is added to the generations of whatever a transport or an
    /// observation says.
    mutating func take(_ step: PathReplay.Step, shift: UInt64 = 0) {
        pass(until: step.t)
        let id = Generation((step.gen ?? 0) &+ offset &+ shift)
        switch step.src {
        case .clock: break
        case .monitor: restart()
        case .path: report(step, of: id)
        case .conn: transport(step.event ?? "", of: id)
        case .user: user(step.do ?? "")
        case .app: app(step.do ?? "")
        }
        check()
    }

    /// Lets every timer fire that falls due, in order.
    private mutating func pass(until moment: Milliseconds) {
        while let deadline = connection.machine.nextDeadline, deadline <= moment {
            now = max(now, deadline)
            handle(.deadlineReached(connection.machine.generation))
            guard faults.isEmpty else { return }
        }
        now = max(now, moment)
        begun += downloads.deadlineReached(now: now)
    }

    private mutating func restart() {
        let before = hint
        _ = hint.restart()
        isReported = false
        spread(from: before)
        handle(.pathHint(.unknown))
    }

    private mutating func report(_ step: PathReplay.Step, of id: Generation) {
        guard let state = PathState.allCases.first(where: { "\($0)" == step.state }) else {
            return faults.append("no state \(step.state ?? "nil")")
        }
        let (before, outcome) = (hint, outcome)
        // Each report is a change, as an observation counts them: also one that looks the same.
        changes += 1
        let update = PathUpdate(
            state, expensive: PathTrait(step.expensive ?? false), change: step.change ?? changes)
        let verdict = hint.accept(generation: id, update)
        if self.outcome != outcome { faults.append("the path wrote the outcome") }
        guard verdict != .stale else {
            if hint != before { faults.append("a stale report changed the hint") }
            return
        }
        isReported = true
        spread(from: before)
        guard (state, update.change) != (before.state, before.newest.change) else { return }
        let reaction = handle(.pathHint(state))
        if reaction.ended != nil || reaction.close != nil || reaction.open != nil {
            faults.append("a hint ended or opened a connection")
        }
    }

    /// Tells those who read hints, as a model and a queue of downloads do.
    private mutating func spread(from before: NetworkHint) {
        contradiction.hintChanged(from: before, to: hint)
        begun += downloads.hintChanged(hint)
    }

    private mutating func transport(_ event: String, of id: Generation) {
        let input: ConnectionInput
        switch event {
        case "opened": input = .opened(id)
        case "received": input = .received(id)
        case "pong": input = .pong(id, ping: connection.machine.heartbeat.pingNumber)
        case "reset": input = .ended(id, .reset)
        case "refused": input = .ended(id, .connectFailed(.refused))
        case "openTimedOut": input = .ended(id, .openTimedOut)
        default: return faults.append("no event \(event)")
        }
        let (before, path) = (connection.decisions, hint)
        let reaction = handle(input)
        if reaction.verdict == .stale, connection.decisions != before {
            faults.append("a stale event changed the connection")
        }
        if hint != path { faults.append("an outcome wrote the path") }
        if case .opened = input, reaction.verdict == .accepted {
            outcome = .succeeded
            contradiction.succeeded(under: hint)
        }
    }

    private mutating func user(_ action: String) {
        switch action {
        case "connect":
            let reaction = handle(.connect)
            if reaction.open == nil, shell.live == nil {
                faults.append("a person's attempt was refused")
            }
        case "backUp":
            if downloads.submit(action, as: .maintenance, now: now) == .begin {
                begun.append(action)
            }
        default: faults.append("no action \(action)")
        }
    }

    private mutating func app(_ action: String) {
        switch action {
        case "background": handle(.background)
        case "foreground":
            restart()
            handle(.foreground)
        default: faults.append("no action \(action)")
        }
    }

    @discardableResult
    private mutating func handle(_ input: ConnectionInput) -> ConnectionReaction {
        let reaction = connection.handle(input, at: now)
        shell.perform(reaction, to: input, at: now)
        if reaction.open != nil { attempts += 1 }
        if reaction.ping != nil { pings += 1 }
        if let cause = reaction.ended?.cause { outcome = RequestOutcome(cause) }
        return reaction
    }

    private mutating func check() {
        if let fault = shell.fault { faults.append("\(fault)") }
        if shell.isWanted, !shell.isInBackground, shell.live == nil,
            connection.machine.nextDeadline == nil
        {
            faults.append("a wanted connection waits for ever")
        }
        if !isReported, hint.state != .unknown { faults.append("a path without a report") }
    }
}
