import Belay
import BelayCore
import BelayTesting
import Testing

/// A server whose ids are not unique: its counter begins anew, and new events come with old ids.
/// Only the app can know, and says so by its ledger's policy.
@Suite struct `An id that comes again` {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// What each connection says, in order.
        let said: [String]
        let duplicates: ResumePolicy.Duplicates
        let handled: [String]
        /// What each request says: one more than there are connections that say something.
        let asked: [String?]

        init(
            _ name: String, _ said: [String], _ duplicates: ResumePolicy.Duplicates,
            handled: [String], asked: [String?]
        ) {
            testDescription = "\(name), \(duplicates)"
            (self.said, self.duplicates) = (said, duplicates)
            (self.handled, self.asked) = (handled, asked)
        }

        static let anew = [
            "id: 1\ndata: a\n\nid: 2\ndata: b\n\n", "id: 1\ndata: new a\n\n",
            "id: 2\ndata: new b\n\nid: 3\ndata: new c\n\n",
        ]
        static let blocks = ["id: 1\ndata: a\n\nid: 5\n\nid: 6\ndata: b\n\n", "id: 5\n\n"]
        static let inherited = ["id: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 1\ndata: a\n\ndata: c\n\n"]
        static let failing = [
            "id: 1\ndata: a\n\n", "id: 1\ndata: fails\n\nid: 2\ndata: skipped\n\n",
        ]
    }

    static let cases = [
        Case(
            "a counter begins anew", Case.anew, .skipped, handled: ["a", "b", "new c"],
            asked: [nil, "2", "2", "3"]),
        Case(
            "a counter begins anew", Case.anew, .handled,
            handled: ["a", "b", "new a", "new b", "new c"], asked: [nil, "2", "1", "3"]),
        Case(
            "a block comes again", Case.blocks, .skipped, handled: ["a", "b"],
            asked: [nil, "6", "6"]),
        Case(
            "a block comes again", Case.blocks, .handled, handled: ["a", "b"],
            asked: [nil, "6", "5"]),
        Case(
            "an event inherits it", Case.inherited, .skipped, handled: ["a", "b", "c"],
            asked: [nil, "2"]),
        Case(
            "an event inherits it", Case.inherited, .handled, handled: ["a", "b", "a", "c"],
            asked: [nil, "1"]),
        Case(
            "its handler fails, and the next is skipped", Case.failing, .handled,
            handled: ["a", "fails", "fails", "skipped"], asked: [nil, "1", "2"]),
    ]

    // E5, E6, E11, E14
    @Test(
        arguments: cases,
        LedgerKind.allCases.flatMap { kind in Reader.Form.allCases.map { (kind, $0) } })
    func `is a replay, or an event like any other, as the policy says`(
        _ test: Case, _ setting: (kind: LedgerKind, form: Reader.Form)
    ) throws {
        let folder = try Folder()
        let policy = ResumePolicy(duplicates: test.duplicates)
        let reader = try Reader(
            ledger: try setting.kind.make(in: folder, policy: policy), failing: ["fails"],
            skipped: ["skipped"])
        let reading = reader.read(setting.form)
        for text in test.said { reader.take(text) }
        #expect(reader.events.map(\.data) == test.handled)
        #expect(reader.lastEventIDs == test.asked)
        reading.cancel()
        reader.loop.run()
    }

    // E5, E6
    @Test(arguments: LedgerKind.allCases, [ResumePolicy.Duplicates.skipped, .handled])
    func `is that also in the ledger's next life`(
        _ kind: LedgerKind, _ duplicates: ResumePolicy.Duplicates
    ) throws {
        let folder = try Folder()
        let policy = ResumePolicy(duplicates: duplicates)
        let ledger = try kind.make(in: folder, policy: policy)
        let first = try Reader(ledger: ledger)
        let life = first.read(.process)
        first.take("id: 1\ndata: a\n\nid: 2\ndata: b\n\n")
        life.cancel()
        first.loop.run()

        let again = kind == .memory ? ledger : try kind.make(in: folder, policy: policy)
        let second = try Reader(ledger: again)
        let nextLife = second.read(.deliveries)
        second.take("id: 1\ndata: new a\n\nid: 3\ndata: new c\n\n")
        let handled = duplicates == .handled ? ["new a", "new c"] : ["new c"]
        #expect(second.events.map(\.data) == handled)
        #expect(second.lastEventIDs == ["2", "3"])
        nextLife.cancel()
        second.loop.run()
    }
}
