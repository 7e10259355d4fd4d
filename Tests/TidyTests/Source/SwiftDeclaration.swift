/// A function, initializer, subscript or property as its text declares it: as much of it as a rule
/// about an interface needs.
struct SwiftDeclaration: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable, CaseIterable {
        case `func`, `init`, `subscript`, `var`, `let`
    }

    let kind: Kind
    /// The type it is declared in or that is extended, with those around it: `Heartbeat.Policy`.
    /// Empty outside of any.
    let type: String
    /// Empty for an initializer and a subscript; the sign of an operator.
    let name: String
    let line: Int
    let isStatic: Bool
    /// Whether another module sees it: it says so, or is a public protocol's requirement.
    let isPublic: Bool
    /// The words and signs between the parentheses; none of a property.
    let parameters: [Substring]
    /// What stands between these and the result: `async`, `throws`; behind an `init`, also `?`.
    let effects: [Substring]
    /// The words and signs of the result, or of a property's type.
    let result: [Substring]

    /// As in a table: `NetworkHint.state`, `Heartbeat.init`.
    var path: String {
        [type, name.isEmpty ? kind.rawValue : name].filter { !$0.isEmpty }.joined(separator: ".")
    }
}

extension SwiftDeclaration {
    /// The declarations in types, extensions and files, in order; not those inside of bodies.
    static func all(in tokens: [SwiftToken]) -> [SwiftDeclaration] {
        var scanner = DeclarationScanner(tokens)
        return scanner.run()
    }
}

/// Walks over the tokens once, and steps over every body that is not a type's.
private struct DeclarationScanner {
    private struct Scope {
        let name: String
        /// Whether what stands in it is public without saying so.
        let makesPublic: Bool
    }

    private let tokens: [SwiftToken]
    private var place = 0
    private var scopes: [Scope] = []
    private var modifiers: Set<Substring> = []

    init(_ tokens: [SwiftToken]) {
        self.tokens = tokens
    }

    private static let types: Set<Substring> = [
        "actor", "class", "enum", "extension", "protocol", "struct",
    ]
    private static let modifiers: Set<Substring> = [
        "class", "fileprivate", "internal", "open", "package", "private", "public", "static",
    ]

    mutating func run() -> [SwiftDeclaration] {
        var found: [SwiftDeclaration] = []
        while let token = current {
            if Self.types.contains(token.text), isType {
                enterType()
            } else if let kind = SwiftDeclaration.Kind(rawValue: String(token.text)), isDeclared {
                found.append(declaration(kind))
                modifiers = []
            } else if Self.modifiers.contains(token.text) {
                modifiers.insert(token.text)
                place += 1
            } else if token.text == "(" {
                _ = group()  // Behind private(set), an attribute, or a case.
            } else if token.text == "{" {
                stepOverBody()
            } else {
                if token.text == "}" { _ = scopes.popLast() }
                if token.text == "case" || token.text == "}" { modifiers = [] }
                place += 1
            }
        }
        return found
    }

    private var current: SwiftToken? { place < tokens.count ? tokens[place] : nil }
    private func text(_ distance: Int) -> Substring? {
        let index = place + distance
        return tokens.indices.contains(index) ? tokens[index].text : nil
    }

    /// `class` may stand in front of a member, and any of the words behind a dot.
    private var isType: Bool { text(-1) != "." && !["func", "var", "let"].contains(text(1)) }
    private var isDeclared: Bool { text(-1) != "." }

    // MARK: Types

    private mutating func enterType() {
        let isProtocol = text(0) == "protocol"
        let isExtension = text(0) == "extension"
        let isPublic = modifiers.contains("public")
        modifiers = []
        place += 1
        var name = ""
        while let token = current, token.isWord || token.text == "." {
            guard token.text != "where" else { break }
            name += token.text
            place += 1
        }
        while let token = current, token.text != "{" {
            if token.text == "(" { _ = group() } else { place += 1 }
        }
        place += 1
        let outer = scopes.last.map { "\($0.name)." } ?? ""
        scopes.append(
            Scope(name: outer + name, makesPublic: isPublic && (isProtocol || isExtension)))
    }

    // MARK: Members

    private mutating func declaration(_ kind: SwiftDeclaration.Kind) -> SwiftDeclaration {
        let line = tokens[place].line
        let isPublic =
            !modifiers.isDisjoint(with: ["public", "open"]) || scopes.last?.makesPublic == true
        let isStatic = !modifiers.isDisjoint(with: ["static", "class"])
        place += 1
        let name = kind == .`init` || kind == .subscript ? "" : name(of: kind)
        var parameters: [Substring] = []
        var effects: [Substring] = []
        if kind != .var, kind != .let {
            while let token = current, token.text != "(" {  // `?`, and what is generic.
                effects.append(token.text)
                place += 1
            }
            parameters = group()
            while let token = current, !endsSignature(token), text(0) != "-" {
                effects.append(token.text)
                place += 1
            }
            if text(0) == "-" { place += 2 }
        } else if text(0) == ":" {
            place += 1
        }
        let isTruth = text(0) == "=" && ["true", "false"].contains(text(1))
        let result = isTruth ? ["Bool"] : type()
        return SwiftDeclaration(
            kind: kind, type: scopes.last?.name ?? "", name: name, line: line, isStatic: isStatic,
            isPublic: isPublic, parameters: parameters, effects: effects, result: result)
    }

    private mutating func name(of kind: SwiftDeclaration.Kind) -> String {
        var name = ""
        while let token = current, token.text != "(", token.text != ":" {
            let isFurther = !name.isEmpty && (token.isWord || token.text == "<" && isWord(name))
            if isFurther || kind != .func && token.text == "=" { break }
            name += token.text
            place += 1
        }
        return name
    }

    private func isWord(_ name: String) -> Bool { name.allSatisfy { $0.isLetter || $0.isNumber } }

    /// The words and signs of a type, up to what cannot belong to it.
    private mutating func type() -> [Substring] {
        var type: [Substring] = []
        while let token = current, !endsSignature(token), token.text != "=" {
            let isNext = place > 0 && token.line != tokens[place - 1].line
            if isNext, !type.isEmpty, beginsAnew(token) { break }
            if token.text == "(" {
                type += ["("] + group() + [")"]
            } else {
                type.append(token.text)
                place += 1
            }
        }
        return type
    }

    private func endsSignature(_ token: SwiftToken) -> Bool {
        ["{", "}", "where"].contains(token.text)
            || SwiftDeclaration.Kind(rawValue: String(token.text)) != nil
    }

    private func beginsAnew(_ token: SwiftToken) -> Bool {
        token.text == "@" || token.text == "#" || token.text == "case" || token.text == "mutating"
            || Self.modifiers.contains(token.text) || Self.types.contains(token.text)
    }

    /// Steps over a group in parentheses, and gives what stands in it.
    private mutating func group() -> [Substring] {
        let start = place + 1
        var depth = 0
        while let token = current {
            if token.text == "(" { depth += 1 }
            if token.text == ")" { depth -= 1 }
            place += 1
            if depth == 0 { break }
        }
        return start <= place - 1 ? tokens[start..<(place - 1)].map(\.text) : []
    }

    private mutating func stepOverBody() {
        var depth = 0
        while let token = current {
            if token.text == "{" { depth += 1 }
            if token.text == "}" { depth -= 1 }
            place += 1
            if depth == 0 { break }
        }
    }
}
