import Testing

@Suite struct `The rule of spellings` {
    private static let source = "Sources/Belay/A.swift"
    private static let test = "Tests/BelayTests/A.swift"

    @Test(arguments: [
        RuleCase("a forced try", source, "\ntry! a()", finds: [2]),
        RuleCase("a forced cast", source, "a as! B", finds: [1]),
        RuleCase("an optional try", source, "try? a(); a as? B"),
        RuleCase("a semaphore", test, "DispatchSemaphore(value: 0)", finds: [1]),
        RuleCase("an unchecked class", source, "final class A: @unchecked Sendable {}", finds: [1]),
        RuleCase("an unsafe global", test, "nonisolated(unsafe) var a = 1", finds: [1]),
        RuleCase("the exception", "Sources/BelayTCP/Loop/EventLoop.swift", "@unchecked Sendable"),
        RuleCase(
            "a forced try in the exception", "Sources/BelayTCP/Loop/EventLoop.swift", "try! a",
            finds: [1]),
        RuleCase("a sleeping test", test, "try await Task.sleep(for: .seconds(1))", finds: [1]),
        RuleCase("a sleeping source", source, "try await Task.sleep(until: a, clock: b)"),
        RuleCase("a word in a string", source, "let a = \"try! as!\""),
        RuleCase("a word in a sentence", test, "func `try! as! Task.sleep`() {}"),
    ])
    func `finds what is not written here`(example: RuleCase) {
        #expect(example.found(by: .spellings) == example.lines)
    }
}
