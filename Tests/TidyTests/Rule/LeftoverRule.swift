extension FileRule {
    /// What is not finished is an issue, not a word in a comment.
    static let leftovers = FileRule { file in
        file.comments.enumerated().compactMap { index, line in
            guard line.contains(where: { $0 != " " }) else { return nil }
            let words = line.split { !$0.isLetter && $0 != "_" }
            guard let marker = words.first(where: markers.contains) else { return nil }
            return file.finding(line: index + 1, "\(marker): finish it, or file an issue")
        }
    }

    // Put together, so that a search for leftovers does not find this list.
    private static let markers: Set<Substring> = [
        "TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK",
    ]
}
