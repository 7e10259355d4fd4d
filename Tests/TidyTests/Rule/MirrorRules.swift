extension TreeRule {
    /// A test stands where its source stands: `Tests/ATests/B/CTests.swift` for
    /// `Sources/A/B/C.swift`. A second file of tests adds its topic: `CVectorTests.swift`,
    /// and one about the whole folder bears its name: `BVectorTests.swift`.
    static let mirror = TreeRule { files in
        let sources = Set(files.map(\.path))
        let byFolder = Dictionary(grouping: sources, by: folder)
        return files.compactMap { file in
            guard let mirrored = mirroredPath(of: file) else { return nil }
            let wanted = stem(mirrored)
            let beside = byFolder[folder(mirrored), default: []].map(stem)
            let subjects = beside.isEmpty ? [] : beside + [stem(String(folder(mirrored)))]
            return subjects.contains { isTopic(of: $0, wanted) }
                ? nil : file.finding(line: 1, "tests no source; none at \(mirrored)")
        }
    }

    /// What decides in many states or over many bytes does not go without tests.
    static let proofOfMachines = TreeRule { files in
        let mirrored = files.compactMap { file in mirroredPath(of: file) }
        let tested = Dictionary(grouping: mirrored, by: folder)
        return files.compactMap { file in
            guard file.room != nil, file.isSwift,
                deciders.contains(where: stem(file.path).hasSuffix)
            else { return nil }
            let isTested = tested[folder(file.path), default: []].contains { path in
                isTopic(of: stem(file.path), stem(path))
            }
            return isTested ? nil : file.finding(line: 1, "decides much and has no tests")
        }
    }

    private static let deciders = ["Machine", "Parser", "Decoder", "Heartbeat", "NetworkHint"]

    /// The source that a file of tests stands for; `nil` for what a test needs besides, and for
    /// suites that belong to no single room.
    private static func mirroredPath(of file: SourceFile) -> String? {
        guard case .test(let target) = file.area, target.hasSuffix("Tests"),
            file.path.hasSuffix("Tests.swift"), Room.named(String(target.dropLast(5))) != nil
        else { return nil }
        return "Sources/\(target.dropLast(5))"
            + file.path.dropFirst("Tests/\(target)".count).dropLast("Tests.swift".count) + ".swift"
    }

    /// Whether `name` is `source`, or `source` with a topic behind it.
    private static func isTopic(of source: Substring, _ name: Substring) -> Bool {
        guard name.hasPrefix(source) else { return false }
        let topic = name.dropFirst(source.count)
        return topic.first.map { $0.isUppercase || $0 == "+" } ?? true
    }

    private static func folder(_ path: String) -> Substring {
        path.lastIndex(of: "/").map { path[..<$0] } ?? ""
    }

    private static func stem(_ path: String) -> Substring {
        let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
        return name.hasSuffix(".swift") ? name.dropLast(6) : name
    }
}
