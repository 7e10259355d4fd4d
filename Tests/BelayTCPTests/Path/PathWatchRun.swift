import BelayCore
import BelayWire

@testable import BelayTCP

/// A kernel that answers, reduced to what can differ.
struct ScriptedKernel: Hashable, Sendable {
    /// A route and its address are there.
    var hasRoute = true
    /// The one link is running.
    var hasCarrier = true
    /// The number of that link.
    var link: Int32 = 2
    /// An address is there that no way leaves from.
    var hasForeignAddress = false

    /// The state that these settings are.
    var state: PathState {
        guard hasCarrier else { return .unavailable }
        return hasRoute ? .available : .needsConnection
    }

    /// The path that these settings are.
    var path: PathFacts.Path {
        let leg = PathFacts.Leg(link: link, gateway: nil, source: .own)
        return PathFacts.Path(state: state, v4: state == .available ? leg : nil, reason: reason)
    }

    /// Why there is no path by these settings.
    var reason: PathReason? {
        guard hasCarrier else { return .noCarrier }
        guard !hasRoute else { return nil }
        return hasForeignAddress ? .noRoute : .noAddress
    }

    /// All that answers `request`, as it is now.
    func answers(to request: NetlinkRequest) -> [NetlinkMessage] {
        switch request {
        case .route(let destination):
            guard hasRoute, destination.family == .v4 else { return [.failed(code: -101)] }
            return [.route(.out(by: link, from: .own))]
        case .links:
            return [.link(hasCarrier ? .running(link) : .dead(link)), .done(code: 0)]
        case .addresses:
            return (hasRoute ? [.address(.permanent(.own))] : [])
                + (hasForeignAddress ? [.address(.permanent(.v4(192, 0, 2, 9)))] : [])
                + [.done(code: 0)]
        }
    }
}

/// A machine with its kernel: what is asked is answered, one message at a time.
struct PathWatchRun: Hashable, Sendable {
    typealias Input = PathWatchMachine.Input
    typealias Action = PathWatchMachine.Action

    var machine: PathWatchMachine
    var kernel = ScriptedKernel()
    var now: Milliseconds = 0
    /// The question that is not answered in full yet.
    var question: NetlinkRequest?
    var sequence: UInt32 = 0
    /// How many of its answers have gone.
    var answered = 0

    init(towards destinations: PathDestinations = PathDestinations(.far)) {
        machine = PathWatchMachine(towards: destinations)
    }

    /// A machine that rests after its first look.
    static func resting(_ kernel: ScriptedKernel = ScriptedKernel()) -> PathWatchRun {
        var run = PathWatchRun()
        run.kernel = kernel
        run.take(.started)
        run.answerAll()
        return run
    }

    @discardableResult
    mutating func take(_ input: Input) -> [Action] {
        var all: [Action] = []
        for action in machine.handle(input, now: now) {
            all.append(action)
            switch action {
            case .open: all += take(.opened)
            case .ask(let request, let number):
                (question, sequence, answered) = (request, number, 0)
            case .close: question = nil
            case .report: break
            }
        }
        return all
    }

    /// The next message that answers the question; nothing if none is asked.
    @discardableResult
    mutating func answer(isInterrupted: Bool = false) -> [Action] {
        guard let question else { return [] }
        let answers = kernel.answers(to: question)
        let message = answers[min(answered, answers.count - 1)]
        answered += 1
        let isLast = answered >= answers.count
        if isLast { self.question = nil }
        return take(
            .answered(
                NetlinkHeader(type: 0, flags: isInterrupted ? 0x10 : 0, sequence: sequence),
                message))
    }

    /// Answers until nothing is asked.
    @discardableResult
    mutating func answerAll() -> [Action] {
        var all: [Action] = []
        while question != nil { all += answer() }
        return all
    }

    /// Lets time pass until the machine's deadline.
    @discardableResult
    mutating func passDeadline() -> [Action] {
        guard let deadline = machine.nextDeadline else { return [] }
        now = deadline
        return take(.deadlineReached)
    }
}

extension [PathWatchMachine.Action] {
    /// What was reported, in order.
    var reports: [PathUpdate] {
        compactMap { if case .report(let update) = $0 { update } else { nil } }
    }

    /// What was asked, in order.
    var questions: [NetlinkRequest] {
        compactMap { if case .ask(let request, _) = $0 { request } else { nil } }
    }
}
