import BelayCore
import BelayTesting
import BelayTransport

@testable import BelayURLSession

/// A machine and a task that may say anything it can, at any time, and twice.
struct TaskWorld: ExploredModel {
    struct State: Hashable, Sendable {
        var run = MachineRun()
        /// The owner let it flow, and the turn that reads on has not come.
        var readsOnLater = false
        var isPaused = false
        /// Given to the task.
        var sends: UInt64 = 0
        /// Asked for.
        var pings: UInt32 = 0

        // What came of it.
        var openings = 0
        var ends = 0
        var invalidations = 0
        var receives = 0
        var pongs: Set<UInt32> = []
        var sent: UInt64 = 0
        var cause: CloseCause?
        /// The first rule that an action broke.
        var fault: String?
        var isClosing = false
    }

    typealias Action = MachineRun.Input

    static let message = WebSocketMessage.text("m")

    var initialStates: [State] { [State()] }

    func addActions(in state: State, to actions: inout [Action]) {
        actions += [
            .opened(subprotocol: nil), .peerClosed(code: 1_001, reasonLength: 0),
            .completed(SessionCompletion()), .completed(SessionCompletion(failure: .reset)),
            .completed(SessionCompletion(failure: .reset, closeCode: 1_001)),
            .received(Self.message), .receiveFailed(.notConnected), .receiveFailed(.messageTooLong),
            .sendFailed(.reset), .pingFailed(.reset),
            .readingSet(state.isPaused ? .flowing : .paused),
            .closeOrdered(code: 1_000, reason: ""), .abortOrdered,
        ]
        for number in 1..<(state.sends + 1) { actions.append(.sent(number)) }
        for number in 1..<(state.pings + 1) { actions.append(.pongReceived(number)) }
        if state.readsOnLater { actions.append(.readOn) }
        if state.sends < 1 { actions.append(.sendOrdered(Self.message, number: state.sends + 1)) }
        if state.pings < 2 { actions.append(.pingOrdered(state.pings + 1)) }
        if state.run.machine.nextDeadline != nil { actions.append(.deadlineReached) }
    }

    func step(_ state: inout State, _ action: Action) {
        switch action {
        case .readingSet(let reading):
            state.isPaused = reading == .paused
            if reading == .flowing { state.readsOnLater = true }
        case .closeOrdered:
            state.readsOnLater = true
        case .readOn: state.readsOnLater = false
        case .pingOrdered: state.pings += 1
        case .received, .receiveFailed: state.receives = 0
        case .deadlineReached: state.run.now = state.run.machine.nextDeadline ?? state.run.now
        default: break
        }
        let isOver = state.ends > 0
        let actions = state.run.take(action)
        if isOver, !actions.isEmpty { state.fault = "\(action) does something after the end" }
        for action in actions { state.note(action) }
        state.run.now = 0  // Deadlines are lengths: the same moment is the same state.
    }

    func describe(_ state: State) -> String {
        state.fault ?? "\(state.ends) ends, \(state.invalidations) invalidations"
    }

    var properties: [ExplorationProperty<State, Action>] {
        [
            .always("no rule is broken") { $0.fault == nil },
            .always("a session that ended was invalidated") {
                $0.ends == 0 || $0.invalidations == 1
            },
            .always("a completion ends what holds no message") { before, action, after in
                guard case .completed = action else { return true }
                return after.invalidations == 1
            },
            .always("only what fails or closes has a deadline") { state in
                state.run.machine.nextDeadline == nil || state.ends == 0
            },
            .sometimes("a peer's code is the cause") { _, _, after in
                after.cause == .peerClosed(code: 1_001)
            },
            .sometimes("a failure is the cause, by its deadline") { _, action, after in
                action == .deadlineReached && after.cause == .peerVanished
            },
            .sometimes("our own Close is the cause") { _, _, after in
                after.cause == .closedLocally
            },
            .sometimes("an end waits for a message") { _, _, after in
                after.invalidations == 1 && after.ends == 0 && after.run.machine.isOver
            },
            .sometimes("a message waits, and is delivered before its end") { before, _, after in
                before.invalidations == 1 && after.ends == 1
            },
        ]
    }
}

extension TaskWorld.State {
    /// Counts what an action does, and finds what none may do.
    fileprivate mutating func note(_ action: MachineRun.Action) {
        if ends > 0 { fault = "\(action) after the end" }
        switch action {
        case .receive:
            receives += 1
            if receives > 1 { fault = "two messages are asked for at once" }
            if isPaused, !isClosing { fault = "asks for a message behind a pause" }
            if invalidations > 0 { fault = "asks a dead session" }
        case .send, .ping:
            if case .send = action { sends += 1 }
            if invalidations > 0 || isClosing { fault = "\(action) behind a Close" }
        case .close:
            if isClosing { fault = "sends a second Close" }
            isClosing = true
        case .invalidate:
            invalidations += 1
            if invalidations > 1 { fault = "invalidates twice" }
        case .reportOpened:
            openings += 1
            if openings > 1 { fault = "opens twice" }
        case .deliver:
            if openings == 0 { fault = "delivers before it opens" }
            if isPaused, !isClosing { fault = "delivers behind a pause" }
        case .reportSent(let number):
            if number != sent + 1 { fault = "reports \(number) out of order" }
            sent = number
        case .reportPingHandedOver:
            break
        case .reportPong(let number):
            if !pongs.insert(number).inserted { fault = "two pongs for ping \(number)" }
        case .reportEnd(let cause, _):
            ends += 1
            self.cause = cause
        }
    }
}
