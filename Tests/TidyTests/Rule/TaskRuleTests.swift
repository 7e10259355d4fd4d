import Testing

@Suite struct `The rule of tasks` {
    private static let source = "Sources/Belay/A.swift"

    @Test(arguments: [
        RuleCase("an unowned task", source, "func a() {\n  Task { b() }\n}", finds: [2]),
        RuleCase("a detached one", source, "Task.detached { b() }", finds: [1]),
        RuleCase("one with a priority", source, "a()\nTask(priority: .low) { b() }", finds: [2]),
        RuleCase("one thrown away", source, "_ = Task { b() }", finds: [1]),
        RuleCase("one kept", source, "reader = Task { b() }"),
        RuleCase("one kept on the next line", source, "reader =\n  Task { b() }"),
        RuleCase("one handed on", source, "keep(Task { b() }, for: c)"),
        RuleCase("one given back", source, "return Task { b() }"),
        RuleCase("a question", source, "Task.isCancelled"),
        RuleCase("a sleep", source, "try await Task.sleep(for: a)"),
        RuleCase("a type", source, "var reader: Task<Void, Never>?"),
        RuleCase("a test", "Tests/BelayTests/A.swift", "Task { b() }"),
    ])
    func `finds a task that nobody owns`(example: RuleCase) {
        #expect(example.found(by: .tasks) == example.lines)
    }
}
