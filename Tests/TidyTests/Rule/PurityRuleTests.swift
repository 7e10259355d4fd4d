import Testing

@Suite struct `The rule of purity` {
    @Test(arguments: [
        RuleCase("waiting", "Sources/BelayCore/A.swift", "func a() async {}", finds: [1]),
        RuleCase("a task", "Sources/BelayWire/A.swift", "\nTask { }", finds: [2]),
        RuleCase("speaking", "Sources/BelayCore/A.swift", "print(1)", finds: [1]),
        RuleCase("a clock", "Sources/BelayCore/A.swift", "ContinuousClock.now", finds: [1]),
        RuleCase("chance", "Sources/BelayCore/A.swift", "Int.random(in: 0..<f(2))", finds: [1]),
        RuleCase(
            "chance passed in", "Sources/BelayCore/A.swift",
            "Int.random(\n  in: 0..<f(2),\n  using: &generator)"),
        RuleCase("a word in a comment", "Sources/BelayCore/A.swift", "// No Task, no async."),
        RuleCase("a longer word", "Sources/BelayCore/A.swift", "let asyncness = Tasks()"),
        RuleCase("another room", "Sources/Belay/A.swift", "func a() async {}"),
        RuleCase("a test", "Tests/BelayCoreTests/A.swift", "Int.random(in: 0..<2)"),
    ])
    func `finds every effect in Core and Wire`(example: RuleCase) {
        #expect(example.found(by: .purity) == example.lines)
    }
}
