extension TreeRule {
    /// Two paths that differ only by case are one path on macOS.
    static let caseClashes = TreeRule { files in
        var seen: [String: Substring] = [:]
        return files.flatMap { file in
            prefixes(of: file.path).compactMap { path -> Finding? in
                let first = seen[path.lowercased(), default: path]
                seen[path.lowercased()] = first
                guard first != path else { return nil }
                return file.finding(line: 1, "\(path) and \(first) differ only by case")
            }
        }
    }

    /// The path and every folder above it.
    private static func prefixes(of path: String) -> [Substring] {
        path.indices.filter { path[$0] == "/" }.map { path[..<$0] } + [path[...]]
    }
}
