extension FileRule {
    /// No public call lets a hint refuse a request (P3): none takes what is known of the path, as a
    /// parameter or as itself, and answers with a permission. A closure of such a form is none
    /// either.
    ///
    /// Permission is a truth value, a word that sounds like one, a result that may be missing, or
    /// an error instead of one. What a path costs may put work off: `PathCost` is no hint.
    static let hintsForbidNothing = FileRule { file in
        guard file.room != nil, file.isSwift else { return [] }
        return SwiftDeclaration.all(in: file.tokens).compactMap { declaration in
            guard declaration.isPublic, let answer = declaration.permissionByHint,
                HintAnswers.allowed[declaration.path] == nil
            else { return nil }
            return file.finding(
                line: declaration.line,
                "\(declaration.path) takes a path hint and answers \(answer): no hint refuses")
        }
    }
}

extension SwiftDeclaration {
    /// How it answers with permission by what it knows of the path; `nil` where it does not.
    var permissionByHint: String? {
        guard name != "==" else { return nil }
        let isTold = !HintAnswers.hints.isDisjoint(with: parameters)
        if isTold || isOfHint, let word = permissionWord(in: result) { return word }
        if isTold, effects.contains("throws") { return "by an error" }
        if isTold, kind == .`init` ? effects.contains("?") : result.contains("?") {
            return "or does not"
        }
        if isTold, kind == .`init`, let word = permissionWord(in: Self.words(of: type)) {
            return word
        }
        return asksAClosure(parameters) ?? asksAClosure(result)
    }

    /// Whether it is a member of an instance that knows of the path.
    private var isOfHint: Bool {
        !isStatic && kind != .`init` && !HintAnswers.hints.isDisjoint(with: Self.words(of: type))
    }

    /// `(NetworkHint) -> Bool`, wherever it stands.
    private func asksAClosure(_ words: [Substring]) -> String? {
        for (index, word) in words.enumerated() where HintAnswers.hints.contains(word) {
            let rest = words[index...]
            guard let close = rest.firstIndex(of: ")") else { continue }
            let behind = words[(close + 1)...].drop {
                ["async", "throws"].contains($0)
            }
            guard behind.starts(with: ["-", ">"]) else { continue }
            if words[close...].prefix(while: { $0 != "-" }).contains("throws") {
                return "by an error"
            }
            let answer = Array(behind.dropFirst(2).prefix { $0 != "," })
            if let word = permissionWord(in: answer) { return word }
            if answer.contains("?") { return "or does not" }
        }
        return nil
    }

    private func permissionWord(in words: [Substring]) -> String? {
        words.first { word in
            HintAnswers.permissions.contains { word == $0 }
                || HintAnswers.permissionParts.contains(where: word.lowercased().contains)
        }
        .map(String.init)
    }

    private static func words(of type: String) -> [Substring] {
        type.split(separator: ".")
    }
}
