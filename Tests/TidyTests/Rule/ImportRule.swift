extension FileRule {
    /// A room imports what the table of rooms lists for it, a test what its room can reach.
    static let imports = FileRule { file in
        guard let allowed = allowedImports(of: file) else { return unknownRoom(file) }
        return statements(in: file).flatMap { statement -> [Finding] in
            var findings: [Finding] = []
            if !allowed.contains(statement.module) {
                findings.append(
                    file.finding(
                        line: statement.line,
                        "imports \(statement.module); DESIGN §2 does not list it for this room"))
            }
            if statement.isExported, file.path != Room.exports {
                findings.append(
                    file.finding(line: statement.line, "hands on an import; only Exports.swift may")
                )
            }
            return findings
        }
    }

    private struct ImportStatement {
        let module: String
        let isExported: Bool
        let line: Int
    }

    private static let everyRoom = Set(Room.all.map(\.name))
    private static let everyTest: Set = [
        "Testing", "Foundation", "FoundationNetworking", "Synchronization", "BelayTesting",
    ]

    /// `nil` for a source of a room that is not in the table.
    private static func allowedImports(of file: SourceFile) -> Set<String>? {
        switch file.area {
        case .source(let name):
            guard let room = Room.named(name) else { return file.isSwift ? nil : [] }
            return Set(room.imports + Room.exceptions[file.path, default: []])
        case .other where file.path.hasPrefix("Fuzz/"):
            return everyRoom.union(everyTest).union(["CZlib"]).union(Room.system)
        case .test("Linkage"), .other:
            return everyRoom.union(everyTest).union([
                "CBaselines", "Footprint", "PackageDescription",
            ])
        case .test(let target):
            guard target.hasSuffix("Tests"), let room = Room.named(String(target.dropLast(5)))
            else { return everyRoom.union(everyTest).union(["Dispatch", "PackageDescription"]) }
            return everyTest.union([room.name]).union(room.reach)
        }
    }

    private static func unknownRoom(_ file: SourceFile) -> [Finding] {
        [file.finding(line: 1, "belongs to a room that Tests/TidyTests/Table/Rooms.swift misses")]
    }

    private static func statements(in file: SourceFile) -> [ImportStatement] {
        guard file.isSwift else { return [] }
        return file.code.enumerated().compactMap { index, line in
            statement(in: line, number: index + 1)
        }
    }

    private static let prefixes: Set<Substring> = [
        "public", "package", "internal", "fileprivate", "private",
    ]
    private static let kinds: Set<Substring> = [
        "struct", "class", "enum", "protocol", "typealias", "func", "let", "var", "actor",
    ]

    private static func statement(in line: String, number: Int) -> ImportStatement? {
        guard line.contains("import") else { return nil }
        let words = line.split(separator: " ")
        let before = words.prefix { $0.hasPrefix("@") || prefixes.contains($0) }
        var rest = words.dropFirst(before.count)
        guard rest.popFirst() == "import" else { return nil }
        if let kind = rest.first, kinds.contains(kind) { rest.removeFirst() }
        guard let path = rest.first else { return nil }
        return ImportStatement(
            module: String(path.prefix { $0 != "." && $0 != ";" }),
            isExported: before.contains("@_exported"), line: number)
    }
}
