import BelayCore
import BelayTesting

extension DeliveryWorld {
    var properties: [ExplorationProperty<State, Action>] {
        promises + cursorRules + happenings + (ledger == .memory ? [] : crashes)
            + (ledger == .transactional ? [] : [again])
    }

    private var promises: [ExplorationProperty<State, Action>] {
        [
            .always(
                ledger == .transactional
                    ? "each id has at most one effect"
                    : "an id has another effect only where the app was torn from the one before"
            ) { [ledger] in
                $0.repeated.isEmpty && (ledger != .transactional || $0.excused.isEmpty)
            },
            .always("no event is taken for committed that was not") { !$0.lost },
            .always("what was committed has its effect, or was skipped") {
                $0.committed.isSubset(of: $0.effects.union($0.skipped))
            },
            .always("a stream that was read to its end has left nothing out") { state in
                state.next != Self.log.count || state.inHand != nil
                    || state.committed.isSuperset(of: Self.events)
            },
            .always("an id that was skipped has no effect afterwards") { before, _, after in
                before.skipped.intersection(Self.withID).isDisjoint(
                    with: after.effects.subtracting(before.effects))
            },
        ]
    }

    private var cursorRules: [ExplorationProperty<State, Action>] {
        [
            .always("no cursor is ahead of an event that was not committed") { state in
                [state.machine.cursor, state.record.cursor].allSatisfy { cursor in
                    let passed = Places(Array(0..<Self.follower(of: cursor)))
                    return passed.intersection(Self.events).isSubset(of: state.committed)
                }
            },
            .always("the record says what the machine says, or will say") { state in
                state.record.cursor == state.machine.cursor || state.inHand?.phase == .stored
            },
            .always("the cursor never goes back, but to a block that this life did not meet") {
                before, action, after in
                guard let from = before.machine.cursor, let to = after.machine.cursor else {
                    return true
                }
                return Self.follower(of: to) >= Self.follower(of: from)
                    || action == .tell && !before.knowsBlock && after.knowsBlock
            },
            .always("the cursor moves with a commit, a skip or a block, and with nothing else") {
                before, action, after in
                before.machine.cursor == after.machine.cursor
                    || [.commit, .skip, .tell].contains(action) && after.inHand == nil
                    || before.record.cursor != after.record.cursor
                        && action == .storingFails(reached: true) && after.inHand == nil
                    || before.inHand?.phase == .stored && after.inHand == nil
            },
        ]
    }

    private var happenings: [ExplorationProperty<State, Action>] {
        [
            .sometimes("a replayed event is taken for committed") {
                $1 == .tell && $2.inHand == nil && Self.withID.contains($0.next)
            },
            .sometimes("a block is replayed from behind the cursor") {
                $1 == .tell && $0.next == 2 && $0.machine.cursor == EventID("2")
                    && $2.machine.cursor == EventID("2")
            },
            .sometimes("all is replayed after the id was cleared, and nothing repeated") {
                before, action, _ in
                action == .connect(at: 0) && before.committed.contains(4)
                    && before.machine.cursor == nil
            },
            .sometimes("an event is skipped, and replayed") {
                $1 == .tell && $2.inHand == nil && $0.skipped.contains($0.next)
            },
            .sometimes("a handler gives up") {
                $1 == .fail && $0.inHand?.phase == .offered && $2.inHand == nil
            },
            .sometimes("an event without id is handled twice") {
                $1 == .tell && $2.inHand?.entry == 1 && $0.committed.contains(1)
            },
            .sometimes("the server goes back as far as the window, and further it could") {
                before, action, _ in
                action == .goBack(to: 1) && before.committed.contains(5)
            },
            .sometimes("a request is made while an event is in hand, and commits after it") {
                before, action, _ in
                action == .commit && before.next == 0 && before.inHand?.entry == 0
            },
        ]
    }

    private var again: ExplorationProperty<State, Action> {
        .sometimes("an event that the app was torn from has its effect again") {
            $1 == .effect && !$2.excused.isSuperset(of: $0.excused)
        }
    }

    /// What only a ledger meets that outlives its process, or that can fail.
    private var crashes: [ExplorationProperty<State, Action>] {
        [
            .sometimes("a crash comes before the effect") { before, action, _ in
                action == .crash && before.inHand?.phase == .offered
            },
            .sometimes("a crash comes between the effect and its record") { before, action, _ in
                action == .crash && before.isInFlight
            },
            .sometimes("a crash comes between the record and the machine") { before, action, _ in
                action == .crash && before.inHand?.phase == .stored
            },
            .sometimes("a crash comes in a replay, and another replay follows") {
                before, action, _ in
                action == .crash && before.next == 1 && before.committed.contains(3)
            },
            .sometimes("storing fails, though it came through, and the app gives up") {
                $1 == .storingFails(reached: true) && $2.inHand == nil
            },
            .sometimes("storing fails, though it came through, and it is committed") {
                $1 == .storingFails(reached: true) && $2.inHand?.phase == .stored
            },
        ]
    }
}
