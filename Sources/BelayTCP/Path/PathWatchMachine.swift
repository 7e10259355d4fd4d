import BelayCore
import BelayWire

/// Decides when to look at the kernel's links, addresses and ways, and what a look means.
///
/// A notice says only that something changed: routes vanish without one, and notices get lost. So
/// each costs a look that reads everything again, and a burst of them costs one.
struct PathWatchMachine: Hashable, Sendable {
    enum Input: Hashable, Sendable {
        case started
        /// The sockets are there, and every later change is noticed.
        case opened
        /// Something changed, or notices were lost.
        case noticed
        case answered(NetlinkHeader, NetlinkMessage)
        /// What the path costs, by somebody else's word.
        case priced(PathTrait)
        /// A socket failed, or said what is no message.
        case failed
        case stopped
        case deadlineReached
    }

    enum Action: Hashable, Sendable {
        /// Open both sockets; `opened` or `failed` follows.
        case open
        case ask(NetlinkRequest, sequence: UInt32)
        case report(PathUpdate)
        /// Close both sockets.
        case close
    }

    enum State: Hashable, Sendable {
        /// Not started, or stopped.
        case idle
        case opening
        /// Nothing changed since the last look.
        case resting
        /// Something changed; what belongs to it has until then to come.
        case settling(until: Milliseconds)
        case looking(Look)
        /// Everything is closed; opens again then.
        case broken(until: Milliseconds)
    }

    /// A look under way. One question at a time: the kernel runs one dump for a socket.
    struct Look: Hashable, Sendable {
        var question: NetlinkRequest
        var sequence: UInt32
        var facts = PathFacts()
        let deadline: Milliseconds
        /// Something changed since it began: its parts may not belong together.
        var isDisturbed = false
    }

    /// For how many milliseconds after a notice others are waited for. A change of one link comes
    /// as three to ten notices within a few; nobody sees a hint that is this late.
    static let settling: Milliseconds = 50
    /// How many disturbed looks in a row are thrown away before one is believed: in a storm that
    /// does not end, an old state must not stay.
    static let patience = 3
    /// Within how many milliseconds the kernel answers all questions of a look. It takes less than
    /// one; a second means that something is wrong.
    static let limit: Milliseconds = 1_000
    /// When it is tried again after a failure; doubles up to a minute.
    static let retry: Milliseconds = 1_000
    static let longestRetry: Milliseconds = 60_000

    private let destinations: PathDestinations
    private(set) var state = State.idle
    /// What was reported last; nil before the first report.
    private(set) var reported: PathFacts.Path?
    /// Whether the path costs its user: the kernel does not know.
    private(set) var expensive = PathTrait.unknown
    /// How many changes were reported.
    private(set) var change: UInt32 = 0
    /// How many looks came to their end, thrown away or not.
    private(set) var looks: UInt64 = 0
    private var lastSequence: UInt32 = 0
    /// Disturbed looks in a row, counted as far as they matter.
    private(set) var disturbances = 0
    /// Failures since the last look, counted as far as they matter.
    private(set) var failures = 0

    init(towards destinations: PathDestinations) {
        self.destinations = destinations
    }

    /// When to call with `deadlineReached`; nil while nothing is awaited but a change.
    var nextDeadline: Milliseconds? {
        switch state {
        case .idle, .opening, .resting: nil
        case .settling(let until), .broken(let until): until
        case .looking(let look): look.deadline
        }
    }

    /// Takes one input; the actions are to be carried out in their order.
    mutating func handle(_ input: Input, now: Milliseconds) -> [Action] {
        switch input {
        case .started: started()
        case .opened: opened(now: now)
        case .noticed: noticed(now: now)
        case .answered(let header, let message): answered(header, message, now: now)
        case .priced(let trait): priced(trait)
        case .failed: failed(now: now)
        case .stopped: stopped()
        case .deadlineReached: deadlineReached(now: now)
        }
    }

    private mutating func started() -> [Action] {
        guard case .idle = state else { return [] }  // It runs already.
        state = .opening
        return [.open]
    }

    private mutating func opened(now: Milliseconds) -> [Action] {
        guard case .opening = state else { return [] }  // Stopped meanwhile.
        return look(now: now)
    }

    private mutating func noticed(now: Milliseconds) -> [Action] {
        switch state {
        case .resting:
            state = .settling(until: now.moved(by: Self.settling))
        case .looking(var look):
            look.isDisturbed = true
            state = .looking(look)
        // Not put off: a storm must not keep the look away.
        case .settling: break
        case .idle, .opening, .broken: break  // No socket: a late notice.
        }
        return []
    }

    private mutating func deadlineReached(now: Milliseconds) -> [Action] {
        guard let nextDeadline, now >= nextDeadline else { return [] }  // Early, or disarmed.
        switch state {
        case .settling:
            return look(now: now)
        case .broken:
            state = .opening
            return [.open]
        case .looking:
            return failed(now: now)
        case .idle, .opening, .resting:
            return []
        }
    }

    /// Reported at once, apart from what a look may show: cost alone is no other path.
    private mutating func priced(_ trait: PathTrait) -> [Action] {
        guard trait != expensive else { return [] }
        expensive = trait
        switch state {
        case .idle: return []  // Stopped meanwhile.
        case .opening, .resting, .settling, .looking, .broken:
            // Before the first look there is no path to tell it of; that look will.
            if let reported { return [word(on: reported)] }
            return []
        }
    }

    private mutating func stopped() -> [Action] {
        defer { state = .idle }
        return isOpen ? [.close] : []
    }

    /// Without sockets nothing is known; later everything is opened anew.
    private mutating func failed(now: Milliseconds) -> [Action] {
        switch state {
        case .idle, .broken: return []  // Closed already.
        case .opening, .resting, .settling, .looking: break
        }
        let closing: [Action] = isOpen ? [.close] : []
        let wait = min(Self.retry << failures, Self.longestRetry)
        state = .broken(until: now.moved(by: wait))
        if wait < Self.longestRetry { failures += 1 }
        disturbances = 0
        guard reported.map({ $0.state != .unknown }) ?? false else { return closing }
        return closing + report(PathFacts.Path(state: .unknown))
    }

    private var isOpen: Bool {
        switch state {
        case .resting, .settling, .looking: true
        case .idle, .opening, .broken: false
        }
    }
}

// MARK: - A look

extension PathWatchMachine {
    /// Ways first, so that of all links and addresses only theirs need to be kept.
    private var questions: [NetlinkRequest] {
        [destinations.v4, destinations.v6].compactMap { $0.map { .route(to: $0) } }
            + [.links, .addresses]
    }

    private mutating func look(now: Milliseconds) -> [Action] {
        let question = questions[0]
        state = .looking(
            Look(
                question: question, sequence: nextSequence(),
                deadline: now.moved(by: Self.limit)))
        return [.ask(question, sequence: lastSequence)]
    }

    private mutating func answered(
        _ header: NetlinkHeader, _ message: NetlinkMessage, now: Milliseconds
    ) -> [Action] {
        // Of another look, or of none any more.
        guard case .looking(var look) = state, look.sequence == header.sequence else { return [] }
        if header.isInterrupted { look.isDisturbed = true }
        let progress = look.take(message)
        state = .looking(look)
        switch progress {
        case .goesOn: return []
        case .isBroken: return failed(now: now)
        case .isAnswered: return next(look, now: now)
        }
    }

    /// Asks what is left to ask, or ends the look.
    private mutating func next(_ look: Look, now: Milliseconds) -> [Action] {
        let rest = questions.drop { $0 != look.question }.dropFirst()
        guard let question = rest.first else { return end(look, now: now) }
        var look = look
        look.question = question
        look.sequence = nextSequence()
        state = .looking(look)
        return [.ask(question, sequence: lastSequence)]
    }

    private mutating func end(_ look: Look, now: Milliseconds) -> [Action] {
        looks &+= 1
        failures = 0
        guard look.isDisturbed else {
            disturbances = 0
            state = .resting
            return report(look.facts.path)
        }
        state = .settling(until: now.moved(by: Self.settling))
        guard disturbances == Self.patience else {
            disturbances += 1
            return []
        }
        return report(look.facts.path)
    }

    /// Also a path whose state is the same: another link or source is another network. Another
    /// reason is news for who reads it, and no other path.
    private mutating func report(_ path: PathFacts.Path) -> [Action] {
        guard path != reported else { return [] }
        if reported?.leads(like: path) != true { change &+= 1 }
        reported = path
        return [word(on: path)]
    }

    private func word(on path: PathFacts.Path) -> Action {
        .report(
            PathUpdate(path.state, expensive: expensive, change: change, reason: path.reason))
    }

    private mutating func nextSequence() -> UInt32 {
        lastSequence &+= 1
        return lastSequence
    }
}

extension PathWatchMachine.Look {
    enum Progress {
        case goesOn, isAnswered, isBroken
    }

    /// Takes one message that answers the question.
    fileprivate mutating func take(_ message: NetlinkMessage) -> Progress {
        switch (question, message) {
        case (.route(let destination), .route(let route)):
            guard route.family == destination.family else { return .isBroken }
            facts.take(route, to: destination)
            return .isAnswered
        case (.route(let destination), .failed(let code)) where code < 0:
            facts.takeRefusal(code: code, to: destination)
            return .isAnswered
        case (.links, .link(let link)):
            facts.take(link)
            return .goesOn
        case (.addresses, .address(let address)):
            facts.take(address)
            return .goesOn
        case (.links, .done(0)), (.addresses, .done(0)):
            return .isAnswered
        case (_, .overrun):
            isDisturbed = true
            return .goesOn
        case (_, .other):
            return .goesOn
        case (.route, _), (.links, _), (.addresses, _):
            return .isBroken  // A failed dump, or an answer to another question.
        }
    }
}
