import Testing

@testable import BelayCommand

@Suite struct `The command line` {
    private static let options = [
        Option("--seed", "N", "a number"), Option("--list", nil, "a flag"),
        Option("--evidence", "PATH", "a file"),
    ]

    private static func read(_ line: String) throws(UsageError) -> Arguments {
        try Arguments(line.split(separator: " ").map(String.init), options: options)
    }

    @Test func `sorts options, values and operands`() throws {
        let arguments = try Self.read("one --seed 7 --list --evidence=a=b two")
        #expect(arguments["--seed"] == "7")
        #expect(arguments.has("--list"))
        #expect(arguments["--evidence"] == "a=b")
        #expect(arguments.operands == ["one", "two"])
    }

    @Test func `ends its options at two dashes`() throws {
        let arguments = try Self.read("-- --seed -x")
        #expect(arguments.operands == ["--seed", "-x"])
        #expect(arguments["--seed"] == nil)
    }

    private struct Wrong: Sendable, CustomTestStringConvertible {
        let line: String
        let cause: String
        let hint: String
        var testDescription: String { line }
    }

    @Test(arguments: [
        Wrong(
            line: "--sed 7", cause: "unknown option --sed", hint: "did you mean --seed?"),
        Wrong(
            line: "--colour", cause: "unknown option --colour",
            hint: "known are: --seed, --list, --evidence"),
        Wrong(
            line: "-x", cause: "unknown option -x", hint: "known are: --seed, --list, --evidence"),
        Wrong(line: "--seed", cause: "--seed has no value", hint: "write --seed N"),
        Wrong(line: "--seed=", cause: "--seed has no value", hint: "write --seed N"),
        Wrong(
            line: "--list=yes", cause: "--list takes no value",
            hint: "leave out what follows ="),
        Wrong(line: "--list --list", cause: "--list is given twice", hint: "give it once"),
        Wrong(
            line: "--seed 1 --seed 2", cause: "--seed is given twice", hint: "give it once"),
    ])
    private func `names the culprit, and what helps`(_ wrong: Wrong) {
        let error = #expect(throws: UsageError.self) { try Self.read(wrong.line) }
        #expect(error?.cause == wrong.cause)
        #expect(error?.hint == wrong.hint)
    }

    @Test(arguments: ["x", "-1", "70000", "7.5", ""])
    func `takes only numbers in their range`(text: String) throws {
        let arguments = try Arguments(["--seed=\(text)x"], options: Self.options)
        #expect(throws: UsageError.self) { try arguments.number("--seed", in: 0...UInt16.max) }
    }

    @Test func `refuses operands where there are none`() throws {
        let error = #expect(throws: UsageError.self) { try Self.read("stray").refuseOperands() }
        #expect(error?.cause == "stray is not expected here")
    }

    @Test(arguments: [
        ("25", Duration.seconds(25)), ("0.2", .milliseconds(200)), ("0.05", .milliseconds(50)),
        ("1.500", .milliseconds(1_500)), ("86400", .seconds(86_400)),
    ])
    func `reads a length of time in seconds`(_ text: String, _ length: Duration) throws {
        #expect(try Self.read("--seed \(text)").seconds("--seed") == length)
    }

    @Test(arguments: ["0", "0.0", "-1", "1s", ".5", "1.", "1.2345", "1e3", "86401", "1.-5", "٣"])
    func `refuses what is no length of time`(_ text: String) throws {
        let arguments = try Self.read("--seed=\(text)")
        #expect(throws: UsageError.self) { try arguments.seconds("--seed") }
    }
}
