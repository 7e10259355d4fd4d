import BelayCore
import BelayTesting

/// A server whose counter is in its memory: when it restarts it tells new events by the old ids.
///
/// The connection is cut anywhere, the server resends from any place, the handler fails, and the
/// app's process restarts with nothing but its cursor.
struct RenumberingWorld: ExploredModel {
    let duplicates: ResumePolicy.Duplicates

    static let ids: [String?] = ["1", nil, "2"]

    struct State: Hashable, Sendable {
        var machine: ResumeMachine
        var isAnew = false
        /// The event the server tells next; nil without a connection.
        var next: Int?
        var handling: Int?
        /// Which events of this numbering were committed.
        var committed = [false, false, false]
        /// Whether an event was passed over that had not been committed.
        var lost = false
    }

    enum Action: Hashable, Sendable {
        case connect(at: Int)
        case tell, cut, succeed, fail, crash
        /// The server restarts, and begins its ids anew.
        case renumber
    }

    var initialStates: [State] {
        [State(machine: ResumeMachine(policy: policy))]
    }

    private var policy: ResumePolicy {
        ResumePolicy(window: 2, attemptLimit: 2, duplicates: duplicates)
    }

    func addActions(in state: State, to actions: inout [Action]) {
        if let next = state.next {
            if next < Self.ids.count, state.handling == nil { actions.append(.tell) }
            actions.append(.cut)
        } else {
            // Of a cursor from before its restart it knows nothing: it tells all there is.
            let latest =
                state.committed.contains(true) ? Self.follower(of: state.machine.cursor) : 0
            for place in 0...latest { actions.append(.connect(at: place)) }
            if !state.isAnew, state.handling == nil { actions.append(.renumber) }
        }
        if state.handling != nil { actions += [.succeed, .fail] }
        actions.append(.crash)
    }

    func step(_ state: inout State, _ action: Action) {
        switch action {
        case .connect(let place): state.next = place
        case .tell: tell(&state)
        case .cut: state.next = nil
        case .succeed:
            state.machine.succeeded()
            if let event = state.handling { state.committed[event] = true }
            state.handling = nil
        case .fail:
            var chance = ExtremeChance.least
            guard state.machine.failed(using: &chance) == .giveUp else { return }
            state.machine.abandoned()
            (state.next, state.handling) = (nil, nil)
        case .crash:
            state.machine = ResumeMachine(cursor: state.machine.cursor, policy: policy)
            (state.next, state.handling) = (nil, nil)
        case .renumber:
            state.isAnew = true
            state.committed = [false, false, false]
        }
    }

    private func tell(_ state: inout State) {
        guard let event = state.next else { return }
        state.next = event + 1
        let inherited = Self.ids[...event].compactMap { $0 }.last
        let offer = ResumeMachine.Offer(
            ownID: Self.ids[event].flatMap(EventID.init),
            lastEventID: inherited.flatMap(EventID.init))
        switch state.machine.offer(offer) {
        case .handle: state.handling = event
        case .skipCommitted: if !state.committed[event] { state.lost = true }
        }
    }

    /// Where the server begins for a request with this cursor.
    private static func follower(of cursor: EventID?) -> Int {
        cursor.flatMap { ids.firstIndex(of: $0.text) }.map { $0 + 1 } ?? 0
    }

    var properties: [ExplorationProperty<State, Action>] {
        switch duplicates {
        case .skipped:
            // What the precondition is for: ids that are unique for the life of the stream.
            [
                .always("before the server numbers anew nothing is lost") { $0.isAnew || !$0.lost },
                .sometimes("a new event with an old id is lost") { $2.lost },
            ]
        case .handled: promises
        }
    }

    private var promises: [ExplorationProperty<State, Action>] {
        [
            .always("no event is passed over") { !$0.lost },
            .always("a stream that was read to its end has left nothing out") { state in
                state.next != Self.ids.count || state.handling != nil
                    || !state.committed.contains(false)
            },
            .always("the cursor follows what was committed, and moves with nothing else") {
                before, action, after in
                guard action == .succeed, let event = before.handling else {
                    return before.machine.cursor == after.machine.cursor
                }
                return after.machine.cursor?.text == Self.ids[...event].compactMap { $0 }.last
            },
            .sometimes("a new event with an old id is handled") { before, action, after in
                action == .tell && after.isAnew && after.handling == 0
                    && before.machine.cursor == EventID("2")
            },
            .sometimes("a replay is handled again") { _, action, after in
                action == .tell && after.handling.map { after.committed[$0] } ?? false
            },
        ]
    }

    func describe(_ state: State) -> String {
        """
        cursor \(state.machine.cursor?.text ?? "none"), anew \(state.isAnew), \
        next \(plain(state.next as Any)), handling \(plain(state.handling as Any)), \
        committed \(state.committed)
        """
    }
}
