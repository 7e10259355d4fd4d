/// A word or a single sign of the code, with the line it stands on.
struct SwiftToken: Hashable, Sendable {
    let text: Substring
    /// Counted from 1.
    let line: Int

    var isWord: Bool { text.first.map(Self.belongsToWord) ?? false }

    /// The words and signs of lines from which comments and literals are gone.
    static func tokens(of code: [String]) -> [SwiftToken] {
        code.enumerated().flatMap { index, line in tokens(of: line, number: index + 1) }
    }

    private static func tokens(of line: String, number: Int) -> [SwiftToken] {
        var tokens: [SwiftToken] = []
        var start = line.startIndex
        while start < line.endIndex {
            var end = line.index(after: start)
            if belongsToWord(line[start]) {
                while end < line.endIndex, belongsToWord(line[end]) { end = line.index(after: end) }
            }
            if line[start] != " " {
                tokens.append(SwiftToken(text: line[start..<end], line: number))
            }
            start = end
        }
        return tokens
    }

    private static func belongsToWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }
}
