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

    /// A word that is none of those that are known. Where they are too many to be named, `list` is
    /// the command that lists them.
    static func unknown(
        _ kind: String, _ word: String, among known: [String], listedBy list: String? = nil
    ) -> UsageError {
        let nearest = NearestWord.of(word, among: known).map { "did you mean \($0)?" }
        let all =
            switch (nearest, list) {
            case (_, let list?): "\(list) shows all"
            case (nil, nil): "known are: \(known.joined(separator: ", "))"
            case (_?, nil): String?.none
            }
        let hint = [nearest, all].compactMap(\.self).joined(separator: " ")
        return UsageError("unknown \(kind) \(word)", hint: hint)
    }
}
