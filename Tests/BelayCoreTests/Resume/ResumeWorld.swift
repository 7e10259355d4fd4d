import BelayCore
import BelayTesting

/// A resume machine, a server without gaps, and everything that can come between them.
///
/// The server sends four events, the second without an id. It may resend events that were
/// committed before, and say an event twice. The connection is cut before, inside and after
/// events; the handler fails; the process dies between effect and commit, which is one
/// transaction: then the memory of committed ids is gone, and only the cursor is left.
struct ResumeWorld: ExploredModel {
    /// How often in all the server says an event twice in a row.
    let sayings: Int

    static let ids: [String?] = ["1", nil, "2", "3"]

    struct State: Hashable, Sendable {
        var machine = ResumeMachine(policy: Self.policy)
        /// What a restarted process knows.
        var saved: EventID?
        /// The event the server sends next; nil without a connection.
        var next: Int?
        /// Lines of it that have arrived: none, its id, its id and data.
        var lines = 0
        /// The event that the handler has, and whether its effect happened.
        var handling: Int?
        var isEffective = false
        /// How often each event's effect was committed: never, once, more often.
        var committed = [0, 0, 0, 0]
        var repeats = 0
        var crashes = 0
        var snapshots = 0
        var lost: Int?

        /// What was committed before is forgotten, but for the cursor's own event.
        var isForgetful: Bool { crashes + snapshots > 0 }

        static var policy: ResumePolicy { ResumePolicy(window: 3, attemptLimit: 2) }
    }

    enum Action: Hashable, Sendable {
        case connect(resending: Int)
        case line, blankLine, sayAgain, cut
        case effect, succeed, fail, abandon, crash
        /// The app's state becomes the server's behind the event at this place.
        case snapshot(behind: Int)
    }

    var initialStates: [State] { [State()] }

    func addActions(in state: State, to actions: inout [Action]) {
        if let next = state.next {
            if next < Self.ids.count, state.lines < 2 { actions.append(.line) }
            if state.lines == 2, state.handling == nil { actions.append(.blankLine) }
            let oldest = !state.isForgetful ? 0 : Self.follower(of: state.machine.cursor) - 1
            if next > max(0, oldest), state.lines == 0, state.repeats < sayings {
                actions.append(.sayAgain)
            }
            actions.append(.cut)
        } else {
            // After a crash only the cursor's own event may come twice: memory knows no more.
            for resending in 0...(state.isForgetful ? 1 : 2) {
                actions.append(.connect(resending: resending))
            }
        }
        if state.handling != nil {
            actions.append(state.isEffective ? .succeed : .effect)
            actions += [.fail, .abandon]
        }
        if state.crashes < 1 { actions.append(.crash) }
        if state.snapshots < 1, state.handling == nil, state.next == nil {
            actions += [.snapshot(behind: 0), .snapshot(behind: 2), .snapshot(behind: 3)]
        }
    }

    func step(_ state: inout State, _ action: Action) {
        switch action {
        case .connect(let resending):
            state.next = max(0, Self.follower(of: state.machine.cursor) - resending)
        case .line:
            state.lines += 1
        case .blankLine:
            offer(&state)
        case .sayAgain:
            state.next = state.next.map { $0 - 1 }
            state.repeats += 1
        case .cut:
            (state.next, state.lines) = (nil, 0)
        case .effect:
            state.isEffective = true
        case .succeed:
            state.machine.succeeded()
            if let event = state.handling {
                state.committed[event] = min(2, state.committed[event] + 1)
            }
            state.saved = state.machine.cursor
            state.handling = nil
        case .fail:
            state.isEffective = false
            var chance = ExtremeChance.least
            guard state.machine.failed(using: &chance) == .giveUp else { return }
            leave(&state)
        case .abandon:
            leave(&state)
        case .crash:
            state.machine = ResumeMachine(cursor: state.saved, policy: State.policy)
            (state.next, state.lines, state.handling) = (nil, 0, nil)
            state.crashes += 1
        case .snapshot(let event):
            let id = Self.ids[event].flatMap(EventID.init)
            state.machine.restarted(at: id)
            state.saved = id
            state.committed = Self.ids.indices.map { $0 <= event ? 1 : 0 }
            state.snapshots += 1
        }
    }

    private func offer(_ state: inout State) {
        guard let event = state.next else { return }
        state.next = event + 1
        state.lines = 0
        let inherited = Self.ids[...event].compactMap { $0 }.last
        let offer = ResumeMachine.Offer(
            ownID: Self.ids[event].flatMap(EventID.init),
            lastEventID: inherited.flatMap(EventID.init))
        switch state.machine.offer(offer) {
        case .handle:
            state.handling = event
            state.isEffective = false
        case .skipCommitted:
            if state.committed[event] == 0 { state.lost = event }
        }
    }

    private func leave(_ state: inout State) {
        state.machine.abandoned()
        (state.next, state.lines, state.handling) = (nil, 0, nil)
    }

    /// Where the server begins for a request with this cursor.
    private static func follower(of cursor: EventID?) -> Int {
        guard let cursor, let event = ids.firstIndex(of: cursor.text) else { return 0 }
        return event + 1
    }

    var properties: [ExplorationProperty<State, Action>] {
        [
            .always("no event is skipped whose effect did not happen") { $0.lost == nil },
            .always("each id has at most one committed effect") { state in
                zip(Self.ids, state.committed).allSatisfy { id, count in id == nil || count <= 1 }
            },
            .always("the cursor is never ahead of a processed event") { state in
                state.committed[..<Self.follower(of: state.machine.cursor)].enumerated()
                    .allSatisfy { event, count in count > 0 || Self.ids[event] == nil }
            },
            .always("the cursor moves only with a commit") { before, action, after in
                before.machine.cursor == after.machine.cursor || action == .succeed
                    || action == .crash && after.machine.cursor == after.saved
                    || after.snapshots > before.snapshots
            },
            .always("a stream that was read to its end has left nothing out") { state in
                state.next != Self.ids.count || state.handling != nil
                    || state.committed.allSatisfy { $0 > 0 }
            },
            .always("an event without an id is handled each time it comes") {
                before, action, after in
                action != .blankLine || before.next != 1 || after.handling == 1
            },
            .sometimes("a half event is dropped") { before, action, _ in
                action == .cut && before.lines > 0
            },
            .sometimes("a replayed event is skipped") { _, action, after in
                action == .blankLine && after.handling == nil
            },
            .sometimes("an effect is lost between effect and commit, and done again") {
                $1 == .succeed && $2.crashes == 1 && $0.committed[2] == 0 && $2.committed[2] == 1
            },
            .sometimes("a snapshot is older than what was committed, and that comes again") {
                $2.snapshots > $0.snapshots && $0.committed[3] > $2.committed[3]
            },
            .sometimes("a handler gives up") { $1 == .fail && $2.handling == nil },
            .sometimes("all is committed after a crash") {
                $2.crashes == 1 && $2.committed.allSatisfy { $0 > 0 }
            },
        ]
    }

    func describe(_ state: State) -> String {
        """
        cursor \(state.machine.cursor?.text ?? "none"), next \(plain(state.next as Any)), \
        handling \(plain(state.handling as Any)), committed \(state.committed)
        """
    }
}
