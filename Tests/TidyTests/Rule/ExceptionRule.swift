extension TreeRule {
    /// An exception that its file no longer needs would let the next misuse through in silence.
    static let exceptionsInUse = TreeRule { files in
        files.flatMap { file in
            var entries: [String] = []
            if Locks.files[file.path] != nil, !file.tokens.contains(where: { $0.text == "Mutex" }) {
                entries.append("Locks.files")
            }
            if Exceptions.unchecked[file.path] != nil,
                Spelling.all.filter(\.isExceptional).allSatisfy({
                    $0.lines(in: file.tokens).isEmpty
                })
            {
                entries.append("Exceptions.unchecked")
            }
            if Exceptions.systems[file.path] != nil,
                !file.code.contains(where: { $0.contains("#if") })
            {
                entries.append("Exceptions.systems")
            }
            return entries.map { file.finding(line: 1, "needs its entry in \($0) no more") }
        }
    }
}
