import Foundation
import Testing

@Suite struct `The table of conformance` {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let row: String
        let found: String?

        init(_ name: String, _ row: String, finds found: String? = nil) {
            (testDescription, self.row, self.found) = (name, row, found)
        }
    }

    static let files = [
        SourceFile(path: "Sources/BelayWire/A.swift", text: ""),
        SourceFile(
            path: "Tests/BelayWireTests/ATests.swift",
            text: "@Suite struct `A` {\n    @Test(arguments: [1])\n    func `holds`(_ n: Int) {}\n}"
        ),
    ]

    @Test(arguments: [
        Case("the head of a table", "| § | what | file | shown by |"),
        Case("the line below it", "|---|---|---|---|"),
        Case("text", "A rule; Nothing › is here."),
        Case("a table of another form", "| client | 3.2 | a reason |"),
        Case("a test and a case", "| 5 | a | BelayWire/A.swift | ATests › holds; Autobahn 2.* |"),
        Case("a row without files", "| a | ATests › holds |"),
        Case(
            "a file that is not there",
            "| 5 | a | BelayWire/A.swift, BelayWire/B.swift | ATests › holds |",
            finds: "Sources/BelayWire/B.swift"),
        Case(
            "a test that is not there", "| a | ATests › held |",
            finds: "a test that is not there: ATests › held"),
        Case("a suite that is not there", "| a | BTests › holds |", finds: "BTests › holds"),
        Case("a row without proof", "| 5 | a | BelayWire/A.swift | |", finds: "nothing"),
        Case("a promise", "| a | ATests › holds; soon |", finds: "neither a test nor a case"),
        Case("a case without a number", "| a | Autobahn all |", finds: "neither"),
    ])
    func `names what is there`(_ test: Case) {
        let findings = ConformanceTable.check("\n\(test.row)\n", against: Self.files)
        #expect(findings.count == (test.found == nil ? 0 : 1))
        #expect(findings.allSatisfy { $0.line == 2 })
        if let found = test.found {
            #expect(findings.first?.message.contains(found) == true)
        }
    }

    @Test func `of this checkout holds`() throws {
        let url = Tree.root.appending(path: ConformanceTable.path)
        let text = try String(contentsOf: url, encoding: .utf8)
        // A table that was not read would hold.
        try #require(text.contains("| 7.1.5 |"))
        let findings = ConformanceTable.check(text, against: try Tree.checkout().files)
        #expect(findings.map(\.description) == [])
    }
}
