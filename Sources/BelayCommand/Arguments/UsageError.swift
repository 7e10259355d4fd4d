/// A command line that cannot be understood: what is wrong with it, and what would be right.
struct UsageError: Error, Hashable {
    /// Names the culprit.
    let cause: String
    /// Says what helps.
    let hint: String

    init(_ cause: String, hint: String) {
        self.cause = cause
        self.hint = hint
    }

    /// A word that is none of those that are known.
    static func unknown(_ kind: String, _ word: String, among known: [String]) -> UsageError {
        let hint =
            NearestWord.of(word, among: known).map { "did you mean \($0)?" }
            ?? "known are: \(known.joined(separator: ", "))"
        return UsageError("unknown \(kind) \(word)", hint: hint)
    }
}
