/// Code that is not written here, and what to write instead.
struct Spelling: Sendable {
    /// Words and signs that follow each other; spaces and line ends between them do not matter.
    let tokens: [Substring]
    let remedy: String
    var onlyInTests = false

    static let all: [Spelling] = [
        Spelling(["try", "!"], "handle the error, or let it through"),
        Spelling(["as", "!"], "ask with `as?`, or keep the type"),
        Spelling(["DispatchSemaphore"], "await what the semaphore would wait for"),
        Spelling(["@", "unchecked", "Sendable"], "let an actor or a value carry it"),
        Spelling(["nonisolated", "(", "unsafe", ")"], "let an actor or a value carry it"),
        Spelling(["Task", ".", "sleep"], "advance a ManualLoop", onlyInTests: true),
        Spelling(["Thread", ".", "sleep"], "advance a ManualLoop", onlyInTests: true),
        Spelling(["usleep"], "advance a ManualLoop", onlyInTests: true),
    ]

    /// Spellings that a file in the table of exceptions may use.
    var isExceptional: Bool { tokens.first == "@" || tokens.first == "nonisolated" }

    private init(_ tokens: [Substring], _ remedy: String, onlyInTests: Bool = false) {
        self.tokens = tokens
        self.remedy = remedy
        self.onlyInTests = onlyInTests
    }

    /// The lines on which it begins.
    func lines(in code: [SwiftToken]) -> [Int] {
        code.indices.compactMap { start in
            guard code[start].text == tokens[0], start + tokens.count <= code.count else {
                return nil
            }
            let found = zip(code[start...], tokens).allSatisfy { $0.text == $1 }
            return found ? code[start].line : nil
        }
    }
}

extension FileRule {
    /// What compiles and still hides a trap, a race or a wait.
    static let spellings = FileRule { file in
        Spelling.all.flatMap { spelling -> [Finding] in
            if spelling.onlyInTests, file.room != nil { return [] }
            if spelling.isExceptional, Exceptions.unchecked[file.path] != nil { return [] }
            return spelling.lines(in: file.tokens).map { line in
                file.finding(line: line, "\(spelling.tokens.joined()): \(spelling.remedy)")
            }
        }
    }
}
