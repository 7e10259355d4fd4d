import Testing

@Suite struct `The tree` {
    @Test func `keeps every rule of STYLE`() throws {
        let files = try Tree.checkout().files
        // A tree that was not found would keep every rule.
        try #require(files.contains { $0.path == "Tests/TidyTests/TreeTests.swift" })
        let findings =
            FileRule.all.flatMap { rule in files.flatMap(rule.check) }
            + TreeRule.all.flatMap { $0.check(files) }
        let report = findings.map { "\n\($0)" }.sorted().joined()
        if !findings.isEmpty { Issue.record("\(findings.count) findings:\(report)") }
    }
}
