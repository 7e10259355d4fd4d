import Belay
import BelayTesting
import Testing

/// What the event stream's text says of ids, tried in both forms on every ledger.
/// Source: HTML, 9.2.6.
@Suite struct `The last event ID` {
    typealias Handled = Reader.Handled

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// What each connection says, in order.
        let said: [String]
        let handled: [(id: String?, lastEventID: String, data: String)]
        /// What each request says: one more than there are connections that say something.
        let asked: [String?]

        init(
            _ name: String, _ said: String..., handled: [(String?, String, String)],
            asked: [String?]
        ) {
            (testDescription, self.said, self.handled, self.asked) = (name, said, handled, asked)
        }
    }

    // E4, E5, E6, E11, E13
    @Test(
        arguments: [
            Case(
                "an event without id inherits it, and is handled each time it comes",
                "id: 1\ndata: a\n\ndata: b\n\n", "data: b\n\n",
                handled: [("1", "1", "a"), (nil, "1", "b"), (nil, "1", "b")],
                asked: [nil, "1", "1"]),
            Case(
                "an event before any id has none",
                "data: a\n\n", handled: [(nil, "", "a")], asked: [nil, nil]),
            Case(
                "an empty id clears it",
                "id: 1\ndata: a\n\nid\ndata: b\n\n", "data: c\n\n",
                handled: [("1", "1", "a"), ("", "", "b"), (nil, "", "c")],
                asked: [nil, nil, nil]),
            Case(
                "after an empty id a committed one is not handled again",
                "id: 1\ndata: a\n\nid:\ndata: b\n\n", "id: 1\ndata: a\n\nid: 2\ndata: c\n\n",
                handled: [("1", "1", "a"), ("", "", "b"), ("2", "2", "c")],
                asked: [nil, nil, "2"]),
            Case(
                "an id without data sets it, and nothing is handled",
                "id: 7\n\n", "data: a\n\n", handled: [(nil, "7", "a")], asked: [nil, "7", "7"]),
            Case(
                "an empty id without data clears it",
                "id: 7\ndata: a\n\nid\n\n", handled: [("7", "7", "a")], asked: [nil, nil]),
            Case(
                "an event with an id and empty data is an event",
                "id: 7\ndata:\n\n", "id: 7\ndata\n\nid: 8\ndata\n\n",
                handled: [("7", "7", ""), ("8", "8", "")], asked: [nil, "7", "8"]),
            Case(
                "a type alone is no event, and keeps the id",
                "id: 7\nevent: ping\n\n", handled: [], asked: [nil, "7"]),
            Case(
                "an id that holds NUL is none",
                "id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n",
                handled: [("1", "1", "a"), (nil, "1", "b")], asked: [nil, "1"]),
            Case(
                "the last of several ids counts",
                "id: 1\nid: 2\ndata: a\n\n", handled: [("2", "2", "a")], asked: [nil, "2"]),
            Case(
                "half an event leaves no id behind",
                "id: 1\ndata: a\n\nid: 2\ndata: b\n", handled: [("1", "1", "a")],
                asked: [nil, "1"]),
            Case(
                "half a block without data leaves no id behind",
                "id: 1\ndata: a\n\nid: 2\n", handled: [("1", "1", "a")], asked: [nil, "1"]),
            Case(
                "an id without data stands behind the event that failed before it",
                "id: 1\ndata: fails\n\nid: 2\n\n",
                handled: [("1", "1", "fails"), ("1", "1", "fails")], asked: [nil, "2"]),
            Case(
                "a skipped event moves it, and is not handled again",
                "id: 1\ndata: skipped\n\n", "id: 1\ndata: skipped\n\nid: 2\ndata: a\n\n",
                handled: [("1", "1", "skipped"), ("2", "2", "a")], asked: [nil, "1", "2"]),
            Case(
                "two ids that Unicode holds for equal are two",
                "id: é\ndata: a\n\nid: e\u{301}\ndata: b\n\n",
                handled: [("é", "é", "a"), ("e\u{301}", "e\u{301}", "b")],
                asked: [nil, "e\u{301}"]),
        ], LedgerKind.allCases.flatMap { kind in Reader.Form.allCases.map { (kind, $0) } })
    func `is what the app committed`(
        _ test: Case, _ setting: (kind: LedgerKind, form: Reader.Form)
    ) throws {
        let folder = try Folder()
        let reader = try Reader(
            ledger: try setting.kind.make(in: folder), failing: ["fails"], skipped: ["skipped"])
        let reading = reader.read(setting.form)
        for text in test.said { reader.take(text) }
        #expect(reader.events == test.handled.map { Handled($0.id, $0.lastEventID, $0.data) })
        #expect(
            reader.lastEventIDs.map { $0.map { Array($0.utf8) } }
                == test.asked.map { $0.map { Array($0.utf8) } })
        reading.cancel()
        reader.loop.run()
    }
}
