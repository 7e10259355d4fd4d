extension FileRule {
    /// The pure rooms decide; they do not wait, read a clock, draw chance or speak.
    static let purity = FileRule { file in
        guard let room = file.room, room == "BelayCore" || room == "BelayWire" else { return [] }
        let words = file.tokens.compactMap { token in
            impureWords.contains(token.text)
                ? file.finding(line: token.line, "\(token.text) has no place in a pure room") : nil
        }
        return words + chance(in: file)
    }

    private static let impureWords: Set<Substring> = [
        "async", "await", "actor", "Task", "TaskGroup", "AsyncStream", "AsyncSequence",
        "withCheckedContinuation", "withUnsafeContinuation", "MainActor",
        "print", "debugPrint", "dump", "readLine",
        "Clock", "ContinuousClock", "SuspendingClock", "SystemRandomNumberGenerator",
    ]

    private static let draws: Set<Substring> = ["random", "shuffle", "shuffled", "randomElement"]

    /// A call that draws from the system; one that is passed its generator says `using`.
    private static func chance(in file: SourceFile) -> [Finding] {
        let tokens = file.tokens
        return tokens.indices.compactMap { index in
            guard draws.contains(tokens[index].text), index > 0, tokens[index - 1].text == ".",
                index + 1 < tokens.count, tokens[index + 1].text == "(",
                !arguments(of: tokens[(index + 1)...]).contains("using")
            else { return nil }
            return file.finding(
                line: tokens[index].line, "chance must be passed in: \(tokens[index].text)(using:)")
        }
    }

    /// The words between the parenthesis that `tokens` begin with and the one that closes it.
    private static func arguments(of tokens: ArraySlice<SwiftToken>) -> [Substring] {
        var depth = 0
        var words: [Substring] = []
        for token in tokens {
            if token.text == "(" { depth += 1 }
            if token.text == ")" { depth -= 1 }
            if depth == 0 { break }
            words.append(token.text)
        }
        return words
    }
}
