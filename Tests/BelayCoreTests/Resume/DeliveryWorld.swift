import BelayCore
import BelayTesting

/// A server's log, a connection to it, the machine, its ledger, and an app that handles, fails or
/// skips whole events.
///
/// Everything is crossed with everything, as often as it likes: in each state the process may die,
/// the reader may leave and the connection be cut; each request is answered from any place that is
/// not ahead of it, and the server goes back to any such place in the midst of a stream; each
/// attempt of the handler and each storing may fail. The log has an event without an id, one that
/// clears the id, and a block without data.
struct DeliveryWorld: ExploredModel {
    /// How the record of an event relates to its effect, and what outlives the reader.
    enum Ledger: Hashable, Sendable, CaseIterable {
        /// Effect, id and cursor are one transaction, and the record knows every id.
        case transactional
        /// The effect happens elsewhere, before cursor and newest ids are stored.
        case file
        /// As `file`, but the machine itself is the record: the program ends with it.
        case memory

        /// A table of all ids is asked instead of the machine's own window.
        var policy: ResumePolicy {
            ResumePolicy(window: self == .transactional ? 1 : 2, attemptLimit: 2)
        }

        /// How many ids a server may go back over.
        var window: Int { self == .transactional ? .max : policy.window }
    }

    /// What the server tells at one place of its log.
    enum Entry: Hashable, Sendable {
        case event(String?)
        /// An event whose empty id clears the last event ID.
        case reset
        /// A block with an id and no data.
        case block(String)
    }

    /// An event in the app's hand, and how far it is.
    struct InHand: Hashable, Sendable {
        enum Phase: Hashable, Sendable {
            case offered
            /// Its handler has done its work.
            case effective
            /// Its id and the cursor are stored, and the machine does not know yet.
            case stored
        }

        let entry: Int
        var phase = Phase.offered
    }

    let ledger: Ledger

    /// One id more than a window and the event in hand: what is forgotten counts, too.
    static let log: [Entry] = [
        .event("1"), .event(nil), .block("9"), .event("2"), .reset, .event("3"), .event("4"),
    ]

    static let blockID = EventID("9")

    /// The entry that the app may skip: one is enough, and each more doubles the space.
    static let skippable = 3

    struct State: Hashable, Sendable {
        var machine: ResumeMachine
        /// What the next life begins with, and the entries whose ids are stored or cursor was.
        var record: ResumeMachine
        var committed = Places()
        /// The entry the server tells next, none without a connection; the last event ID so far.
        var next: Int?
        var lastEventID: EventID?
        var inHand: InHand?
        /// Whether this life met the block, or began there: no record has where its place was.
        var knowsBlock = false
        /// Entries with an effect, and those that were skipped.
        var effects = Places()
        var skipped = Places()
        /// Ids whose effect was done and not recorded when the app was torn from it: each such
        /// time allows one more effect, and no other does.
        var excused = Places()
        /// Ids with an effect more than that allows, and whether one was passed over undone.
        var repeated = Places()
        var lost = false

        /// Whether the app has its effect, and no record has it.
        var isInFlight: Bool { inHand?.phase == .effective }
    }

    enum Action: Hashable, Sendable {
        case connect(at: Int)
        case tell, goBack(to: Int), cut
        case effect, store, commit, skip
        case fail, storingFails(reached: Bool)
        case leave, crash
    }

    var initialStates: [State] {
        let machine = ResumeMachine(policy: ledger.policy)
        return [State(machine: machine, record: machine)]
    }

    func addActions(in state: State, to actions: inout [Action]) {
        if let next = state.next {
            if state.inHand == nil {
                if next < Self.log.count { actions.append(.tell) }
                let earliest = earliest(in: state)
                for place in earliest..<max(earliest, next) {
                    actions.append(.goBack(to: place))
                }
            }
            actions.append(.cut)
        } else {
            let earliest = earliest(in: state)
            for place in earliest...max(earliest, Self.follower(of: state.machine.cursor)) {
                actions.append(.connect(at: place))
            }
        }
        if let inHand = state.inHand { addActions(for: inHand, to: &actions) }
        actions.append(.leave)
        if ledger != .memory { actions.append(.crash) }
    }

    private func addActions(for inHand: InHand, to actions: inout [Action]) {
        switch inHand.phase {
        case .offered:
            actions += [.effect, .fail]
            if inHand.entry == Self.skippable { actions.append(.skip) }
        case .effective:
            actions.append(.fail)
            switch ledger {
            case .memory: actions.append(.commit)
            case .file, .transactional:
                actions += [.store, .storingFails(reached: false), .storingFails(reached: true)]
            }
        case .stored:
            actions += [.commit, .storingFails(reached: true)]
        }
    }

    /// The first place that a server within the ledger's window goes back to. By what was
    /// committed, not by what the machine believes of it; the event in hand may soon be.
    private func earliest(in state: State) -> Int {
        var known = 0
        for entry in Self.log.indices.reversed() where Self.withID.contains(entry) {
            guard state.committed.contains(entry) || state.inHand?.entry == entry else { continue }
            known += 1
            if known > ledger.window { return entry + 1 }
        }
        return 0
    }

    /// Where the server begins for a request with this cursor.
    static func follower(of cursor: EventID?) -> Int {
        cursor.flatMap { place(of: $0) }.map { $0 + 1 } ?? 0
    }

    /// The event or block that has this id.
    static func place(of id: EventID) -> Int? {
        ids.firstIndex { $0 == id }
    }

    private static let ids = log.map { entry -> EventID? in
        switch entry {
        case .event(let id): id.flatMap { EventID($0) }
        case .block(let id): EventID(id)
        case .reset: nil
        }
    }

    /// Entries whose handling an id can tell apart from another.
    static let withID = Places(
        log.indices.filter { if case .event(_?) = log[$0] { true } else { false } })
    static let events = Places(
        log.indices.filter { if case .block = log[$0] { false } else { true } })

    func describe(_ state: State) -> String {
        """
        cursor \(state.machine.cursor?.text ?? "none"), next \(plain(state.next as Any)), \
        in hand \(plain(state.inHand?.entry as Any)), committed \(state.committed), \
        effects \(state.effects), excused \(state.excused), skipped \(state.skipped)
        """
    }

    /// A set of the log's places, as small as a number.
    struct Places: OptionSet, Hashable, Sendable, CustomStringConvertible {
        var rawValue: UInt8 = 0

        init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        init(_ places: [Int]) {
            for place in places { insert(place) }
        }

        func contains(_ place: Int?) -> Bool {
            place.map { rawValue & (1 << $0) != 0 } ?? false
        }

        mutating func insert(_ place: Int) { rawValue |= 1 << place }

        mutating func remove(_ place: Int) { rawValue &= ~(1 << place) }

        var description: String { "\((0..<8).filter { contains($0) })" }
    }
}
