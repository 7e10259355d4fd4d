import Belay
import BelayCore
import BelayFile
import BelayTesting
import Testing

@testable import BelaySQLite

/// One life of a stream on a real ledger: what a server tells, and what goes wrong.
///
/// Its choices are made from outside, so that all lives can be tried. Each of them reads to the
/// log's end.
struct Crossing {
    enum Entry {
        case event(String)
        /// A block with an id and no data.
        case block(String)

        var id: String {
            switch self {
            case .event(let id), .block(let id): id
            }
        }
    }

    struct Torn: Error {}

    static let log: [Entry] = [.event("1"), .block("9"), .event("2")]
    static let table = "CREATE TABLE IF NOT EXISTS effects (stream TEXT, id TEXT)"
    static let insertion = "INSERT INTO effects (stream, id) VALUES (?, ?)"

    let kind: LedgerKind
    /// The number of this life: its file or its stream.
    let name: String
    let folder: Folder
    /// How many things may go wrong yet.
    private var troubles = 2
    private var ledger: (any EventLedger)?
    /// How often each id had its effect, and how often the app was torn from one.
    private var effects: [String: Int] = [:]
    private var torn: [String: Int] = [:]
    private var processed: Set<String> = []

    init(_ kind: LedgerKind, _ name: String, in folder: Folder) throws {
        (self.kind, self.name, self.folder) = (kind, name, folder)
        try reopen()
    }

    mutating func run(by choices: inout Choices) throws {
        var place = try begin(&choices)
        while true {
            let trouble = trouble(place + (kind == .memory ? 1 : 2), &choices)
            if 1...max(1, place) ~= trouble, place > 0 {
                place -= trouble  // The server goes back.
            } else if trouble > 0 {
                place = try beginAnew(by: trouble == place + 1 ? .leaving : .crash, &choices)
            }
            guard place < Self.log.count else { break }
            let end = try tell(Self.log[place], &choices)
            place = try end.map { try beginAnew(by: $0, &choices) } ?? place + 1
            try expectNothingPassed()
        }
        ledger?.release()
    }

    /// Each id has had its effect: once, or once more for each time that the app was torn from it.
    func expectEffects() throws {
        // To the block's place goes back what replays it in a later life; see `FileLedger`.
        #expect([EventID("2"), EventID("9")].contains(ledger?.cursor))
        for case .event(let id) in Self.log {
            #expect(1...(1 + torn[id, default: 0]) ~= (try count(of: id)), "\(id)")
        }
        if kind == .sqlite { #expect(torn.isEmpty) }
    }

    private enum End { case leaving, crash }

    private mutating func trouble(_ kinds: Int, _ choices: inout Choices) -> Int {
        guard troubles > 0 else { return 0 }
        let trouble = choices.next(of: kinds + 1)
        if trouble > 0 { troubles -= 1 }
        return trouble
    }

    /// The server begins behind the cursor, or at any place before.
    private mutating func begin(_ choices: inout Choices) throws -> Int {
        let ledger = try #require(ledger)
        try #require(try ledger.acquire())
        let follower = follower(of: ledger.cursor)
        return follower - trouble(follower, &choices)
    }

    private mutating func beginAnew(by end: End, _ choices: inout Choices) throws -> Int {
        switch end {
        case .leaving:
            ledger?.abandoned()
            ledger?.release()
        case .crash: try reopen()
        }
        return try begin(&choices)
    }

    private mutating func reopen() throws {
        ledger = nil
        let policy = ResumePolicy(window: 3)
        switch kind {
        case .memory: ledger = MemoryLedger(policy: policy)
        case .file: ledger = try FileLedger(path: folder.path(name), policy: policy)
        case .sqlite:
            ledger = try SQLiteLedger(path: folder.path("ledger"), stream: name, policy: policy)
        }
    }

    /// The end that the life came to with this entry; `nil` where it goes on.
    private mutating func tell(_ entry: Entry, _ choices: inout Choices) throws -> End? {
        let ledger = try #require(ledger)
        guard case .event(let id) = entry else {
            try ledger.moved(to: EventID(entry.id))
            return nil
        }
        let offer = ResumeMachine.Offer(ownID: EventID(id), lastEventID: EventID(id))
        guard try ledger.offer(offer) != .skipCommitted else {
            #expect(processed.contains(id), "\(id) was passed over")
            return nil
        }
        let trouble = trouble(kind == .memory ? 3 : 5, &choices)
        if [2, 3, 5].contains(trouble) { try tear(id, ledger) }
        switch trouble {
        case 1, 2:
            var chance = SeededGenerator(seed: 1)
            _ = ledger.failed(using: &chance)
        case 3: return .leaving
        case 4, 5: return .crash
        default: break
        }
        try commit(id, ledger)
        return nil
    }

    private mutating func commit(_ id: String, _ ledger: any EventLedger) throws {
        if let ledger = ledger as? SQLiteLedger {
            try ledger.commit(applying: { try $0.run(Self.insertion, name, id) })
        } else {
            effects[id, default: 0] += 1
            try ledger.commit()
        }
        processed.insert(id)
    }

    /// The effect happens, and nobody comes to record it.
    private mutating func tear(_ id: String, _ ledger: any EventLedger) throws {
        guard let ledger = ledger as? SQLiteLedger else {
            effects[id, default: 0] += 1
            torn[id, default: 0] += 1
            return
        }
        #expect(throws: (any Error).self) {
            try ledger.commit(applying: {
                try $0.run(Self.insertion, name, id)
                throw Torn()
            })
        }
    }

    private func count(of id: String) throws -> Int {
        guard let ledger = ledger as? SQLiteLedger else { return effects[id, default: 0] }
        return try ledger.transaction {
            try $0.rows("SELECT 1 FROM effects WHERE stream = ? AND id = ?", name, id).count
        }
    }

    private func expectNothingPassed() throws {
        for case .event(let id) in Self.log[..<follower(of: ledger?.cursor)] {
            #expect(processed.contains(id), "the cursor is ahead of \(id)")
        }
    }

    private func follower(of cursor: EventID?) -> Int {
        Self.log.firstIndex { $0.id == cursor?.text }.map { $0 + 1 } ?? 0
    }
}
