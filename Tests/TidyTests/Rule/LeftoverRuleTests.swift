import Testing

@Suite struct `The rule of leftovers` {
    private static let marker = "FIX" + "ME"

    @Test(arguments: [
        RuleCase("a leftover", "Sources/A/A.swift", "let a = 1\n// \(marker): later", finds: [2]),
        RuleCase("in a block", "Sources/A/A.swift", "/*\n \(marker)\n*/", finds: [2]),
        RuleCase("in C", "Sources/CLinux/A.c", "int a; /* \(marker) */", finds: [1]),
        RuleCase("a longer word", "Sources/A/A.swift", "// \(marker)S"),
        RuleCase("in a string", "Sources/A/A.swift", "let a = \"// \(marker)\""),
    ])
    func `finds work that was left for later`(example: RuleCase) {
        #expect(example.found(by: .leftovers) == example.lines)
    }
}
