import Foundation
import Testing

@Suite struct `The programs in README` {
    @Test func `are those that the build compiles`() throws {
        let root = Tree.root
        let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        let folder = root.appending(path: "Snippets")
        let snippets = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
        let blocks = Self.swiftBlocks(in: readme)
        try #require(blocks.count >= 2)
        for block in blocks {
            #expect(
                snippets.contains { $0.contains(block) },
                "no file in Snippets has this:\n\(block)")
        }
    }

    /// What stands between ```` ```swift ```` and its end.
    private static func swiftBlocks(in text: String) -> [String] {
        text.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
    }
}
