import Testing

@Suite struct `The rule of exceptions` {
    private static let loop = "Sources/BelayTCP/Loop/EventLoop.swift"
    private static let chooser = "Sources/BelayTesting/Loop/ThreadIdentity.swift"

    @Test(arguments: [
        RuleCase("both in use", loop, "let a = Mutex(1); class B: @unchecked Sendable {}"),
        RuleCase("a lock gone", loop, "class B: @unchecked Sendable {}", finds: [1]),
        RuleCase("a system in use", chooser, "#if canImport(Network)\n#endif"),
        RuleCase("a system gone", chooser, "let a = 1", finds: [1]),
        RuleCase("both gone", loop, "let a = 1", finds: [1, 1]),
    ])
    func `finds an exception that nobody needs`(example: RuleCase) {
        let file = SourceFile(path: example.path, text: example.text)
        #expect(TreeRule.exceptionsInUse.check([file]).map(\.line) == example.lines)
    }
}
