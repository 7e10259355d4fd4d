import BelayCore
import BelayTesting

/// A server's log, a connection to it, the machine, and what a ledger has stored when the process
/// dies: whole events, each of which the app handles, fails or skips.
///
/// The log has an event without an id, one that clears the id, and a block without data. The
/// server resends more than was asked for, and says things twice; the process dies at any moment.
struct DeliveryWorld: ExploredModel {
    /// How the record of an event relates to its effect.
    enum Ledger: Hashable, Sendable {
        /// Effect, id and cursor are one transaction, and the record knows every id.
        case transactional
        /// The effect happens elsewhere, before id and cursor are stored.
        case afterEffect
    }

    /// What the server tells at one place of its log.
    enum Entry: Hashable, Sendable {
        case event(String?)
        /// An event whose empty id clears the last event ID.
        case reset
        /// A block with an id and no data.
        case block(String)
    }

    let ledger: Ledger

    static let log: [Entry] = [
        .event("1"), .event(nil), .block("9"), .event("2"), .reset, .event("3"),
    ]

    /// The entry that the app may skip: one is enough, and each more doubles the space.
    static let skippable = 3

    struct State: Hashable, Sendable {
        var machine = ResumeMachine(policy: Self.policy)
        /// The record: the cursor, and the entries whose ids are stored.
        var storedCursor: EventID?
        var stored = Places()
        /// The entry the server tells next, none without a connection; the last event ID so far.
        var next: Int?
        var lastEventID: EventID?
        /// The entry in the app's hand, and whether its effect happened.
        var inHand: Int?
        var isEffective = false
        /// Entries with an effect, with more than one, and those that were skipped.
        var effects = Places()
        var repeated = Places()
        var skipped = Places()
        /// The entry whose effect was in flight at the crash: it alone may be repeated.
        var inFlight: Int?
        var sayings = 0
        var crashes = 0
        var lost = false

        static var policy: ResumePolicy { ResumePolicy(window: 4, attemptLimit: 2) }

        /// Entries that are done with, by an effect or by the app's word.
        var settled: Places { effects.union(skipped) }
    }

    /// A set of the log's places.
    typealias Places = OptionSetOfPlaces

    enum Action: Hashable, Sendable {
        case connect(resending: Int)
        case tell, sayAgain, cut
        case effect, commit, skip, fail, leave, crash
    }

    var initialStates: [State] { [State()] }

    func addActions(in state: State, to actions: inout [Action]) {
        if let next = state.next {
            if next < Self.log.count, state.inHand == nil { actions.append(.tell) }
            if next > 0, state.inHand == nil, state.sayings < 1, state.crashes == 0 {
                actions.append(.sayAgain)
            }
            actions.append(.cut)
        } else if state.inHand == nil || state.crashes == 0 {
            // Where a block's place was, only this life knows.
            for resending in 0...(state.crashes == 0 ? 2 : 1) {
                actions.append(.connect(resending: resending))
            }
        }
        if state.inHand != nil {
            actions.append(state.isEffective ? .commit : .effect)
            if state.inHand == Self.skippable, !state.isEffective { actions.append(.skip) }
            // What is done elsewhere and fails afterwards is the app's to undo.
            if ledger == .transactional || !state.isEffective { actions += [.fail, .leave] }
        }
        if state.crashes < 1, state.sayings == 0 { actions.append(.crash) }
    }

    func step(_ state: inout State, _ action: Action) {
        switch action {
        case .connect(let resending):
            state.next = max(0, Self.follower(of: state.machine.cursor) - resending)
            state.lastEventID = state.machine.cursor
        case .tell: tell(&state)
        case .sayAgain:
            state.next = state.next.map { $0 - 1 }
            state.sayings += 1
        case .cut: state.next = nil
        case .effect:
            state.isEffective = true
            if ledger == .afterEffect { happened(&state) }
        case .commit:
            if ledger == .transactional { happened(&state) }
            settle(&state)
        case .skip:
            if let entry = state.inHand { state.skipped.insert(entry) }
            settle(&state)
        case .fail:
            state.isEffective = false
            var chance = ExtremeChance.least
            if state.machine.failed(using: &chance) == .giveUp { leave(&state) }
        case .leave: leave(&state)
        case .crash: crash(&state)
        }
    }

    private func tell(_ state: inout State) {
        guard let entry = state.next else { return }
        state.next = entry + 1
        let own: EventID?
        switch Self.log[entry] {
        case .event(let id):
            own = id.flatMap { EventID($0) }
            state.lastEventID = own ?? state.lastEventID
        case .reset:
            own = nil
            state.lastEventID = nil
        case .block(let id):
            state.lastEventID = EventID(id)
            state.machine.moved(to: state.lastEventID)
            state.storedCursor = state.machine.cursor
            return
        }
        if ledger == .transactional, let own, state.stored.contains(entry) {
            state.machine.recalled(own)
        }
        let offer = ResumeMachine.Offer(ownID: own, lastEventID: state.lastEventID)
        switch state.machine.offer(offer) {
        case .handle: (state.inHand, state.isEffective) = (entry, false)
        case .skipCommitted: if !state.settled.contains(entry) { state.lost = true }
        }
    }

    private func happened(_ state: inout State) {
        guard let entry = state.inHand else { return }
        if state.effects.contains(entry) { state.repeated.insert(entry) }
        state.effects.insert(entry)
    }

    private func settle(_ state: inout State) {
        state.machine.succeeded()
        state.storedCursor = state.machine.cursor
        if let entry = state.inHand { state.stored.insert(entry) }
        (state.inHand, state.isEffective) = (nil, false)
    }

    private func leave(_ state: inout State) {
        state.machine.abandoned()
        (state.next, state.inHand, state.isEffective) = (nil, nil, false)
    }

    /// The next life knows what the record knows: it asks when an id comes, or reads all of them.
    private func crash(_ state: inout State) {
        if state.isEffective { state.inFlight = state.inHand }
        state.machine = ResumeMachine(restored: state.storedCursor, policy: State.policy)
        if ledger == .afterEffect {
            for entry in Self.log.indices where state.stored.contains(entry) {
                if case .event(let id?) = Self.log[entry], let id = EventID(id) {
                    state.machine.recalled(id)
                }
            }
        }
        (state.next, state.inHand, state.isEffective) = (nil, nil, false)
        state.crashes += 1
    }

    /// Where the server begins for a request with this cursor.
    static func follower(of cursor: EventID?) -> Int {
        guard let cursor else { return 0 }
        let entry = log.firstIndex { entry in
            switch entry {
            case .event(let id): id == cursor.text
            case .block(let id): id == cursor.text
            case .reset: false
            }
        }
        return entry.map { $0 + 1 } ?? 0
    }

    func describe(_ state: State) -> String {
        """
        cursor \(state.machine.cursor?.text ?? "none"), next \(plain(state.next as Any)), \
        in hand \(plain(state.inHand as Any)), effects \(state.effects), \
        repeated \(state.repeated), skipped \(state.skipped)
        """
    }
}

/// A set of small numbers, as small as one.
struct OptionSetOfPlaces: OptionSet, Hashable, Sendable, CustomStringConvertible {
    var rawValue: UInt8 = 0

    func contains(_ place: Int?) -> Bool {
        place.map { rawValue & (1 << $0) != 0 } ?? false
    }

    mutating func insert(_ place: Int) { rawValue |= 1 << place }

    var description: String { "\((0..<8).filter { contains($0) })" }
}
