import Foundation

/// The files of this checkout that the rules are about.
struct Tree: Sendable {
    let files: [SourceFile]

    /// The folder that these tests were built from.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The tree that these tests were built from.
    static func checkout() throws -> Tree {
        var files: [SourceFile] = []
        for folder in ["Sources", "Tests", "Benchmarks", "Snippets", "Fuzz"] {
            try collect(folder, in: root, into: &files)
        }
        return Tree(files: files)
    }

    /// Descends into `path`. Hidden folders hold what was built; the articles keep their own form.
    private static func collect(
        _ path: String, in root: URL, into files: inout [SourceFile]
    ) throws {
        let url = root.appending(path: path)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder),
            path != "Tests/Articles/Sources"
        else { return }
        if isFolder.boolValue {
            let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
            for name in names.sorted() where !name.hasPrefix(".") {
                try collect("\(path)/\(name)", in: root, into: &files)
            }
        } else if [".swift", ".c", ".h"].contains(where: path.hasSuffix) {
            files.append(SourceFile(path: path, text: try String(contentsOf: url, encoding: .utf8)))
        }
    }
}
