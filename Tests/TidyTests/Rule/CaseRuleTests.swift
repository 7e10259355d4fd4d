import Testing

@Suite struct `The rule of case` {
    @Test(arguments: [
        TreeCase("different", ["Sources/Belay/A.swift", "Sources/BelayCore/A.swift"]),
        TreeCase(
            "folders", ["Sources/Belay/A.swift", "Sources/belay/B.swift"],
            finds: ["Sources/belay/B.swift"]),
        TreeCase(
            "files", ["Sources/Belay/A.swift", "Sources/Belay/a.swift"],
            finds: ["Sources/Belay/a.swift"]),
    ])
    func `finds paths that macOS cannot keep apart`(example: TreeCase) {
        #expect(example.found(by: .caseClashes) == example.found)
    }
}
