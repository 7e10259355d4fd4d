import Testing

/// A small file, and the lines of it that a rule must find.
struct RuleCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let path: String
    let text: String
    let lines: [Int]

    /// `lines` is empty for a file that keeps the rule.
    init(_ description: String, _ path: String, _ text: String, finds lines: [Int] = []) {
        testDescription = description
        self.path = path
        self.text = text
        self.lines = lines
    }

    func found(by rule: FileRule) -> [Int] {
        rule.check(SourceFile(path: path, text: text)).map(\.line)
    }
}
