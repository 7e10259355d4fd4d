extension FileRule {
    /// A machine names every state that ignores an input; `default` would swallow a new one.
    static let exhaustiveMachines = FileRule { file in
        guard file.room != nil, file.name.hasSuffix("Machine.swift") else { return [] }
        let tokens = file.tokens
        return tokens.indices.dropLast().compactMap { index in
            guard tokens[index].text == "default", tokens[index + 1].text == ":" else { return nil }
            return file.finding(
                line: tokens[index].line, "list the cases that default stands for, and say why")
        }
    }
}
