import Testing

@Suite struct `The rule of locks` {
    @Test(arguments: [
        RuleCase("a lock with a reason", "Sources/BelayTCP/Loop/EventLoop.swift", "Mutex(1)"),
        RuleCase(
            "a lock without one", "Sources/Belay/A.swift", "\nlet a = Mutex(1)\nMutex(2)",
            finds: [2]),
        RuleCase("another lock", "Sources/BelayTCP/Loop/EventLoop.swift", "NSLock()", finds: [1]),
        RuleCase("a test", "Tests/BelayTests/A.swift", "let a = Mutex(1)"),
        RuleCase("a comment", "Sources/Belay/A.swift", "// No Mutex here."),
    ])
    func `finds a lock that nobody gave a reason for`(example: RuleCase) {
        #expect(example.found(by: .locks) == example.lines)
    }
}
