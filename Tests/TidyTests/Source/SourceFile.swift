/// A file of the tree as the rules see it: its place, its lines, and what of them is code.
struct SourceFile: Sendable {
    /// Where a file stands decides what it may do.
    enum Area: Hashable, Sendable {
        case source(room: String)
        case test(target: String)
        case other
    }

    /// Relative to the package, with `/` between the parts.
    let path: String
    let lines: [Substring]
    let area: Area
    /// The lines without comments and literals; see `SwiftText`.
    let code: [String]
    /// The lines without anything but comments.
    let comments: [String]
    /// The words and signs of the code.
    let tokens: [SwiftToken]

    init(path: String, text: String) {
        self.path = path
        let split = text.split(separator: "\n", omittingEmptySubsequences: false)
        lines = split.last == "" ? split.dropLast() : split
        area = Area(path: path)
        let swift = SwiftText(text)
        code = swift.code
        comments = swift.comments
        tokens = SwiftToken.tokens(of: swift.code)
    }

    /// The name of the file, without its folders.
    var name: Substring { path.split(separator: "/").last ?? "" }

    var isSwift: Bool { path.hasSuffix(".swift") }

    /// The room that the file is a source of.
    var room: String? {
        guard case .source(let room) = area else { return nil }
        return room
    }

    func finding(line: Int, _ message: String) -> Finding {
        Finding(path: path, line: line, message: message)
    }
}

extension SourceFile.Area {
    init(path: String) {
        let parts = path.split(separator: "/").map(String.init)
        switch parts.first {
        case "Sources" where parts.count > 2: self = .source(room: parts[1])
        case "Tests" where parts.count > 2: self = .test(target: parts[1])
        default: self = .other
        }
    }
}
