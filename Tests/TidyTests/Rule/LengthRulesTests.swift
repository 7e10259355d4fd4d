import Testing

@Suite struct `The rules of lengths` {
    private static func lines(_ count: Int) -> String { String(repeating: "a\n", count: count) }

    @Test(arguments: [
        RuleCase("a full source", "Sources/BelayCore/A.swift", lines(400)),
        RuleCase("a long source", "Sources/BelayCore/A.swift", lines(401), finds: [401]),
        RuleCase("a full test", "Tests/BelayCoreTests/A.swift", lines(600)),
        RuleCase("a long test", "Tests/BelayCoreTests/A.swift", lines(601), finds: [601]),
        RuleCase("a long C source", "Sources/CLinux/A.c", lines(401), finds: [401]),
    ])
    func `find a file that is too long`(example: RuleCase) {
        #expect(example.found(by: .fileLength) == example.lines)
    }

    @Test(arguments: [
        RuleCase("a full line", "Tests/A/A.swift", String(repeating: "é", count: 100)),
        RuleCase(
            "a long line", "Tests/A.swift", "\n" + String(repeating: "é", count: 101), finds: [2]),
    ])
    func `find a line that is too long`(example: RuleCase) {
        #expect(example.found(by: .lineLength) == example.lines)
    }

    @Test(arguments: [
        RuleCase("a full function", "Tests/A/A.swift", "func a() {\n" + lines(68) + "}"),
        RuleCase(
            "a long function", "Tests/A/A.swift", "\nfunc a() {\n" + lines(69) + "}", finds: [2]),
    ])
    func `find a function that is too long`(example: RuleCase) {
        #expect(example.found(by: .functionLength) == example.lines)
    }
}
