import Foundation
import Testing

@Suite struct `The log of reported bugs` {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let rows: [String]
        let found: String?

        init(_ name: String, _ rows: String..., finds found: String? = nil) {
            (testDescription, self.rows, self.found) = (name, rows, found)
        }
    }

    static let files = [
        SourceFile(
            path: "Tests/BelayWireTests/ATests.swift",
            text: "@Suite struct `A` {\n    @Test func `holds`() {}\n}")
    ]

    @Test(arguments: [
        Case("a test", "| A1 | project 1 | it breaks | ATests › holds |"),
        Case("a case of the suite", "| A1 | project 1 | it breaks | Autobahn 7.1.5 |"),
        Case("a reason", "| A1 | project 1 | it breaks | not tried: it needs a browser |"),
        Case(
            "a test that is not there", "| A1 | project 1 | it breaks | ATests › held |",
            finds: "a test that is not there"),
        Case("nothing", "| A1 | project 1 | it breaks | |", finds: "names nothing"),
        Case("another room", "| A1 | p | b | elsewhere: BelayMoon |", finds: "neither"),
        Case("no reason", "| A1 | p | b | not tried: |", finds: "neither"),
        Case("no source", "| A1 | | it breaks | ATests › holds |", finds: "no source"),
        Case(
            "a row twice", "| A1 | p | b | ATests › holds |", "| A1 | p | b | ATests › holds |",
            finds: "A1 twice"),
        Case(
            "an unknown row", "| A1 | p | b | ATests › holds |", "| Z9 | p | b | ATests › holds |",
            finds: "Z9"),
        Case("a row left out", finds: "has no row A1"),
    ])
    func `has one line for each report, which names what is there`(_ test: Case) {
        let head = "| row | reported | what went wrong | shown by |\n|---|---|---|---|\n"
        let text = head + test.rows.joined(separator: "\n") + "\n"
        let findings = BugLog.check(text, rows: ["A1"], against: Self.files)
        #expect(findings.count == (test.found == nil ? 0 : 1))
        if let found = test.found {
            #expect(findings.first?.message.contains(found) == true)
        }
    }

    @Test func `of this checkout holds`() throws {
        #expect(BugLog.rows.count == 149)
        let url = Tree.root.appending(path: BugLog.path)
        let text = try String(contentsOf: url, encoding: .utf8)
        let findings = BugLog.check(text, against: try Tree.checkout().files)
        #expect(findings.map(\.description) == [])
    }
}
