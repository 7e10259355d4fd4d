import BelayCore
import BelayTesting

extension DeliveryWorld {
    /// Entries whose handling an id can tell apart from another.
    private static let withID = Places(
        log.indices.filter { if case .event(_?) = log[$0] { true } else { false } })
    private static let events = Places(
        log.indices.filter { if case .block = log[$0] { false } else { true } })

    var properties: [ExplorationProperty<State, Action>] {
        [
            exactlyOnce,
            .always("no event is taken for committed that was not settled") { !$0.lost },
            .always("no cursor is ahead of an event that was not settled") { state in
                [state.machine.cursor, state.storedCursor].allSatisfy { cursor in
                    (0..<Self.follower(of: cursor)).allSatisfy { entry in
                        !Self.withID.contains(entry) || state.settled.contains(entry)
                    }
                }
            },
            .always("the record says what the machine says") {
                $0.storedCursor == $0.machine.cursor
            },
            .always("the cursor never goes back over a committed id") { before, _, after in
                guard let from = before.machine.cursor, let to = after.machine.cursor else {
                    return true
                }
                return Self.follower(of: to) >= Self.follower(of: from)
            },
            .always("the cursor moves with a commit, a skip or a block, and with nothing else") {
                before, action, after in
                before.machine.cursor == after.machine.cursor
                    || [.commit, .skip, .tell].contains(action) && after.inHand == nil
            },
            .always("a stream that was read to its end has left nothing out") { state in
                state.next != Self.log.count || state.inHand != nil
                    || state.settled.isSuperset(of: Self.events)
            },
            .always("an id that was skipped has no effect afterwards") { before, _, after in
                before.skipped.intersection(Self.withID).isDisjoint(
                    with: after.effects.subtracting(before.effects))
            },
        ] + happenings
    }

    /// What each ledger promises of effects.
    private var exactlyOnce: ExplorationProperty<State, Action> {
        switch ledger {
        case .transactional:
            .always("each id has at most one effect") {
                $0.repeated.isDisjoint(with: Self.withID)
            }
        case .afterEffect:
            .always("only the event in flight at a crash has two effects, and no more than two") {
                before, action, after in
                let repeated = after.repeated.intersection(Self.withID)
                return repeated.isSubset(of: Places(after.inFlight.map { [$0] } ?? []))
                    && (action != .effect || !before.repeated.contains(before.inHand)
                        || !Self.withID.contains(before.inHand))
            }
        }
    }

    private var happenings: [ExplorationProperty<State, Action>] {
        [
            .sometimes("a replayed event is taken for committed") {
                $1 == .tell && $2.inHand == nil && Self.withID.contains($0.next)
            },
            .sometimes("a block is replayed from behind the cursor") {
                before, action, after in
                action == .tell && before.next == 2 && before.machine.cursor == EventID("2")
                    && after.machine.cursor == EventID("2")
            },
            .sometimes("all is replayed after the id was cleared, and nothing repeated") {
                $2.next == Self.log.count && $2.inHand == nil && $2.stored.contains(4)
                    && $2.repeated.isDisjoint(with: Self.withID)
            },
            .sometimes("a crash comes between an effect and its commit") {
                before, action, _ in
                action == .crash && before.isEffective
            },
            .sometimes("all is settled after that crash") {
                $2.inFlight == 3 && $2.settled.isSuperset(of: Self.events)
            },
            .sometimes("an event is skipped, and replayed") {
                $1 == .tell && $2.inHand == nil && $0.skipped.contains($0.next)
            },
            .sometimes("a handler gives up") { $1 == .fail && $2.inHand == nil },
            .sometimes("an event without id is handled twice") { $2.repeated.contains(1) },
        ]
    }
}

extension OptionSetOfPlaces {
    init(_ places: [Int]) {
        for place in places { insert(place) }
    }
}
