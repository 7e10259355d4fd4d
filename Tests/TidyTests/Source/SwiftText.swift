/// Takes Swift text apart into code and comments, line by line.
///
/// A rule about code must not stumble over a word in a comment or a string, nor over a test's name.
/// So in `code` comments and literals become spaces, and a name in backticks becomes a plain word.
/// Interpolated code counts as part of its literal. Lines keep their numbers.
struct SwiftText {
    private(set) var code: [String] = []
    private(set) var comments: [String] = []

    init(_ text: String) {
        var scanner = SwiftTextScanner(text)
        scanner.run()
        code = Self.lines(scanner.code)
        comments = Self.lines(scanner.comments)
    }

    private static func lines(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

/// Walks over the text once and blanks what belongs to the other side.
private struct SwiftTextScanner {
    private let bytes: [UInt8]
    private var place = 0
    private(set) var code: [UInt8]
    private(set) var comments: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
        code = bytes
        comments = bytes.map { $0 == UInt8(ascii: "\n") ? $0 : UInt8(ascii: " ") }
    }

    mutating func run() {
        while place < bytes.count {
            if follows("//") {
                keepComment(to: lineEnd(from: place))
            } else if follows("/*") {
                keepComment(to: blockCommentEnd())
            } else if bytes[place] == UInt8(ascii: "`") {
                nameInBackticks()
            } else if let start = literalStart() {
                blank(to: literalEnd(start))
            } else {
                place += 1
            }
        }
    }

    // MARK: Comments and names

    private mutating func keepComment(to end: Int) {
        for index in place..<end { comments[index] = bytes[index] }
        blank(to: end)
    }

    private func blockCommentEnd() -> Int {
        var depth = 0
        var index = place
        while index < bytes.count {
            if follows("/*", at: index) {
                depth += 1
                index += 2
            } else if follows("*/", at: index) {
                depth -= 1
                index += 2
                if depth == 0 { return index }
            } else {
                index += 1
            }
        }
        return bytes.count
    }

    private mutating func nameInBackticks() {
        let end = min(lineEnd(from: place), endOfName(after: place + 1))
        for index in place..<end { code[index] = UInt8(ascii: "x") }
        place = end
    }

    private func endOfName(after start: Int) -> Int {
        guard let close = bytes[start...].firstIndex(of: UInt8(ascii: "`")) else {
            return bytes.count
        }
        return close + 1
    }

    // MARK: Literals

    private struct LiteralStart {
        var hashes = 0
        /// `"`, `"""` or `/`.
        var delimiter: String
    }

    /// What literal begins here: `"`, `"""`, either behind hashes, or a regular expression behind
    /// hashes. A bare `/…/` is not told from a division and is left as code.
    private func literalStart() -> LiteralStart? {
        var index = place
        while index < bytes.count, bytes[index] == UInt8(ascii: "#") { index += 1 }
        let hashes = index - place
        if follows("\"\"\"", at: index) { return LiteralStart(hashes: hashes, delimiter: "\"\"\"") }
        if follows("\"", at: index) { return LiteralStart(hashes: hashes, delimiter: "\"") }
        if hashes > 0, follows("/", at: index) {
            return LiteralStart(hashes: hashes, delimiter: "/")
        }
        return nil
    }

    private func literalEnd(_ start: LiteralStart) -> Int {
        let hashes = String(repeating: "#", count: start.hashes)
        let close = start.delimiter + hashes
        let escape = "\\" + hashes
        var index = place + start.hashes + start.delimiter.utf8.count
        while index < bytes.count {
            if follows(close, at: index) { return index + close.utf8.count }
            if bytes[index] == UInt8(ascii: "\n"), start.delimiter == "\"" { return index }
            if start.delimiter != "/", follows(escape, at: index) {
                index += escape.utf8.count
                index = follows("(", at: index) ? interpolationEnd(from: index) : index + 1
            } else {
                index += 1
            }
        }
        return bytes.count
    }

    /// The place behind the parenthesis that closes the one at `start`.
    private func interpolationEnd(from start: Int) -> Int {
        var nested = self
        nested.place = start
        var depth = 0
        while nested.place < bytes.count {
            if let literal = nested.literalStart() {
                nested.place = nested.literalEnd(literal)
                continue
            }
            if follows("(", at: nested.place) { depth += 1 }
            if follows(")", at: nested.place) { depth -= 1 }
            nested.place += 1
            if depth == 0 { break }
        }
        return min(nested.place, bytes.count)
    }

    // MARK: Bytes

    private func follows(_ text: StaticString, at index: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard index + count <= bytes.count else { return false }
        for offset in 0..<count where bytes[index + offset] != text.utf8Start[offset] {
            return false
        }
        return true
    }

    private func follows(_ text: StaticString) -> Bool { follows(text, at: place) }

    private func follows(_ text: String, at index: Int) -> Bool {
        index <= bytes.count && bytes[index...].starts(with: text.utf8)
    }

    private func lineEnd(from start: Int) -> Int {
        bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    }

    private mutating func blank(to end: Int) {
        for index in place..<end where bytes[index] != UInt8(ascii: "\n") {
            code[index] = UInt8(ascii: " ")
        }
        place = end
    }
}
