/// Finds what was meant by a word that is not known.
enum NearestWord {
    /// The nearest of the known words; `nil` where none is near enough to be meant.
    static func of(_ word: String, among known: [String]) -> String? {
        let word = word.lowercased()
        let ranked = known.map { ($0, distance(word, $0.lowercased())) }
        guard let (nearest, distance) = ranked.min(by: { $0.1 < $1.1 }) else { return nil }
        if distance <= max(1, word.count / 3) { return nearest }
        // Not mistyped, but cut short: the shortest that begins so, or has it inside.
        guard word.count >= 3 else { return nil }
        let begun = known.filter { $0.lowercased().hasPrefix(word) }
        let whole = begun.isEmpty ? known.filter { $0.lowercased().contains(word) } : begun
        return whole.min { $0.count < $1.count }
    }

    /// How many letters must be put in, left out, or changed (Levenshtein).
    static func distance(_ a: String, _ b: String) -> Int {
        let b = Array(b)
        var row = Array(0...b.count)
        for (place, letter) in a.enumerated() {
            var diagonal = row[0]
            row[0] = place + 1
            for column in b.indices {
                let changed = diagonal + (letter == b[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(changed, diagonal + 1, row[column] + 1)
            }
        }
        return row[b.count]
    }
}
