import Testing

@Suite struct `The rule of conditionals` {
    @Test(arguments: [
        RuleCase("in Core", "Sources/BelayCore/A.swift", "\n#if os(Linux)\n#endif", finds: [2]),
        RuleCase("in Belay", "Sources/Belay/A.swift", "#if canImport(Darwin)\n#endif", finds: [1]),
        RuleCase("a branch", "Sources/Belay/A.swift", "#if DEBUG\n#elseif os(iOS)", finds: [2]),
        RuleCase(
            "in its file", "Sources/BelayTesting/Loop/ThreadIdentity.swift",
            "#if canImport(Network)"),
        RuleCase("in an adapter", "Sources/BelayTCP/Loop/A.swift", "#if os(Linux)"),
        RuleCase("about the C target", "Sources/BelayFaults/A.swift", "#if canImport(CLinux)"),
        RuleCase("in a comment", "Sources/BelayCore/A.swift", "// #if os(Linux)"),
        RuleCase("about no system", "Sources/BelayCore/A.swift", "#if DEBUG"),
    ])
    func `finds a system outside adapters`(example: RuleCase) {
        #expect(example.found(by: .conditionals) == example.lines)
    }
}
