/// Where a function begins and how many lines it has.
struct FunctionLength: Hashable, Sendable {
    /// The line of `func`, `init`, `deinit`, `subscript`, or of the `var` with accessors.
    let start: Int
    /// Up to and with the line of the closing brace.
    let lines: Int

    /// Every function with a body, also nested ones, in the order of their beginnings.
    ///
    /// Braces are counted; that is exact on code whose literals are gone, but for a `#if` with a
    /// brace in one branch only, which we do not write.
    static func measure(_ tokens: [SwiftToken]) -> [FunctionLength] {
        tokens.indices.compactMap { index in
            guard begins(at: index, in: tokens),
                let open = body(after: index, in: tokens),
                let close = closing(open, in: tokens)
            else { return nil }
            let start = tokens[index].line
            return FunctionLength(start: start, lines: tokens[close].line - start + 1)
        }
    }

    private static func begins(at index: Int, in tokens: [SwiftToken]) -> Bool {
        // `.init` and `self.init` call.
        guard index == 0 || tokens[index - 1].text != "." else { return false }
        switch tokens[index].text {
        case "func", "subscript", "deinit", "var": return true
        case "init":
            guard index + 1 < tokens.count else { return false }
            return ["(", "<", "?", "!"].contains(tokens[index + 1].text)
        default: return false
        }
    }

    /// Words that begin another declaration: the one before had no body.
    private static let declarations: Set<Substring> = [
        "func", "init", "deinit", "subscript", "var", "let", "case", "struct", "class", "enum",
        "actor", "protocol", "extension", "typealias", "associatedtype", "import", "public",
        "package", "internal", "fileprivate", "private", "static", "mutating", "nonisolated",
        "override", "return", "if", "guard", "for", "while", "switch",
    ]

    /// The brace that opens the body of what begins at `index`; none for a requirement of a
    /// protocol, a stored property or one with an initial value.
    private static func body(after index: Int, in tokens: [SwiftToken]) -> Int? {
        let isVariable = tokens[index].text == "var"
        var depth = 0
        for place in tokens.indices[(index + 1)...] {
            let text = tokens[place].text
            if text == "(" || text == "[" { depth += 1 }
            if text == ")" || text == "]" { depth -= 1 }
            if depth < 0 { return nil }
            guard depth == 0 else { continue }
            if text == "{" { return place }
            if text == "}" || declarations.contains(text) || (isVariable && text == "=") {
                return nil
            }
        }
        return nil
    }

    private static func closing(_ open: Int, in tokens: [SwiftToken]) -> Int? {
        var depth = 0
        for place in open..<tokens.count {
            if tokens[place].text == "{" { depth += 1 }
            if tokens[place].text == "}" { depth -= 1 }
            if depth == 0 { return place }
        }
        return nil
    }
}
