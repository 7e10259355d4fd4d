import Testing

@Suite struct `The rule of exhaustive machines` {
    private static let machine = "Sources/BelayCore/Connection/ConnectionMachine.swift"

    @Test(arguments: [
        RuleCase("a default", machine, "switch a {\ndefault: return\n}", finds: [2]),
        RuleCase("an unknown default", machine, "@unknown default: return", finds: [1]),
        RuleCase("a word", machine, "static let `default` = 1 // default: 1"),
        RuleCase("no machine", "Sources/BelayCore/Heartbeat/A.swift", "default: return"),
    ])
    func `finds a default in a machine`(example: RuleCase) {
        #expect(example.found(by: .exhaustiveMachines) == example.lines)
    }
}
