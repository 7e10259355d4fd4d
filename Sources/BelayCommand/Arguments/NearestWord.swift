/// Finds what was meant by a word that is not known.
enum NearestWord {
    /// The nearest of the known words; `nil` where none is near enough to be meant.
    static func of(_ word: String, among known: [String]) -> String? {
        let ranked = known.map { ($0, distance(word.lowercased(), $0.lowercased())) }
        guard let (nearest, distance) = ranked.min(by: { $0.1 < $1.1 }) else { return nil }
        return distance <= max(1, word.count / 3) ? nearest : nil
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
