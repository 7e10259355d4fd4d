extension TreeRule {
    /// An exception that its file no longer needs would let the next misuse through in silence.
    static let exceptionsInUse = TreeRule { files in
        files.flatMap { file -> [Finding] in
            var findings: [Finding] = []
            if Locks.files[file.path] != nil, !file.tokens.contains(where: { $0.text == "Mutex" }) {
                findings.append(file.finding(line: 1, "needs no entry in Locks.swift any more"))
            }
            let unchecked = Spelling.all.filter(\.isExceptional)
            if Exceptions.unchecked[file.path] != nil,
                unchecked.allSatisfy({ $0.lines(in: file.tokens).isEmpty })
            {
                findings.append(
                    file.finding(line: 1, "needs no entry in Exceptions.swift any more"))
            }
            return findings
        }
    }
}
