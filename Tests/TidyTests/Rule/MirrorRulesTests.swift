import Testing

/// Paths of a small tree, and those that a rule must find.
struct TreeCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let paths: [String]
    let found: [String]

    init(_ description: String, _ paths: [String], finds found: [String] = []) {
        testDescription = description
        self.paths = paths
        self.found = found
    }

    func found(by rule: TreeRule) -> [String] {
        rule.check(paths.map { SourceFile(path: $0, text: "") }).map(\.path)
    }
}

@Suite struct `The rule of the mirror` {
    private static let parser = "Sources/BelayWire/EventStream/EventStreamParser.swift"
    private static let tests = "Tests/BelayWireTests/EventStream/EventStreamParserTests.swift"
    private static let vectors =
        "Tests/BelayWireTests/EventStream/EventStreamParserVectorTests.swift"
    private static let elsewhere = "Tests/BelayWireTests/EventStreamParserTests.swift"

    @Test(arguments: [
        TreeCase("a test at its place", [parser, tests]),
        TreeCase("a topic", [parser, tests, vectors]),
        TreeCase(
            "a folder", [parser, "Tests/BelayWireTests/EventStream/EventStreamVectorTests.swift"]),
        TreeCase("a test elsewhere", [parser, elsewhere], finds: [elsewhere]),
        TreeCase("a test of nothing", [tests], finds: [tests]),
        TreeCase("what a test needs", ["Tests/BelayWireTests/Vectors.swift"]),
        TreeCase("a suite of all rooms", ["Tests/BelaySimulationTests/StormTests.swift"]),
    ])
    func `finds a test that stands for no source`(example: TreeCase) {
        #expect(example.found(by: .mirror) == example.found)
    }

    @Test(arguments: [
        TreeCase("with tests", [parser, tests]),
        TreeCase("with tests of a topic", [parser, vectors]),
        TreeCase("without tests", [parser], finds: [parser]),
        TreeCase("with tests elsewhere", [parser, elsewhere], finds: [parser]),
        TreeCase("a plain value", ["Sources/BelayWire/EventStream/ServerSentEvent.swift"]),
    ])
    func `finds a machine or parser without tests`(example: TreeCase) {
        #expect(example.found(by: .proofOfMachines) == example.found)
    }
}
