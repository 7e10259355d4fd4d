extension FileRule {
    /// A type is named for what it is, not for being something that handles something.
    static let typeNames = FileRule { file in
        let tokens = file.tokens
        return tokens.indices.dropLast().compactMap { index in
            let name = tokens[index + 1]
            guard declaringWords.contains(tokens[index].text),
                index == 0 || tokens[index - 1].text != ".",
                name.isWord, let word = emptyWord(in: name.text)
            else { return nil }
            return file.finding(
                line: name.line, "\(name.text) says \(word), which says nothing; name what it is")
        }
    }

    /// Folders are concerns, not kinds of things.
    static let folderNames = FileRule { file in
        let folders = file.path.split(separator: "/").dropLast()
        let stem = file.name.prefix { $0 != "." && $0 != "+" }
        var findings: [Finding] = []
        if let folder = folders.first(where: emptyFolders.contains) {
            findings.append(file.finding(line: 1, "a folder \(folder) is no concern"))
        }
        if let word = emptyWord(in: stem) {
            findings.append(file.finding(line: 1, "the file's name says \(word), which is nothing"))
        }
        return findings
    }

    private static let declaringWords: Set<Substring> = [
        "struct", "class", "enum", "actor", "protocol", "typealias", "associatedtype",
    ]
    private static let emptyFolders: Set<Substring> = [
        "New", "Deprecated", "Utils", "Common", "Misc", "Models", "Protocols", "Extensions",
    ]
    private static let emptyEndings = [
        "Manager", "Helper", "Helpers", "Util", "Utils", "Utility", "Utilities", "Impl", "Wrapper",
        "Info", "Base", "Service",
    ]

    /// The word of a name that STYLE §3 bans: an ending, a `My` in front, a bare `Handler`.
    private static func emptyWord(in name: Substring) -> String? {
        if name == "Handler" { return "Handler" }
        if name.hasPrefix("My"), name.dropFirst(2).first?.isUppercase ?? true { return "My" }
        return emptyEndings.first(where: name.hasSuffix)
    }
}
