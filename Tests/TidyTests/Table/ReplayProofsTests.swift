import Foundation
import Testing

@Suite struct `The corpus of replays` {
    static let files = [
        SourceFile(
            path: "Tests/BelayWireTests/ATests.swift",
            text: "@Suite struct `A` {\n    @Test func `holds`() {}\n}")
    ]

    @Test(arguments: [
        (#"{"row": 5}"#, nil),
        (#"{"row": 5, "also": "ATests › holds"}"#, nil),
        (#"{"row": 5, "also": "ATests › held"}"#, "a test that is not there"),
        (#"{"row": 7, "also": "ATests › holds"}"#, nil),
        (#"{"row": 7}"#, "names no test"),
        (#"{"row": 7, "also": ""}"#, "names nothing"),
        (#"{"report": "one"}"#, "of no row"),
    ])
    func `names the tests of what a replay leaves out`(_ header: String, _ found: String?) {
        let findings = ReplayProofs.check(
            header + "\n{}\n", at: "a.replay", against: Self.files)
        #expect(findings.count == (found == nil ? 0 : 1))
        if let found { #expect(findings.first?.message.contains(found) == true) }
    }

    @Test func `of this checkout holds`() throws {
        let folder = Tree.root.appending(path: ReplayProofs.folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        try #require(names.count > ReplayProofs.reduced.count)
        let files = try Tree.checkout().files
        let findings = try names.sorted().flatMap { name in
            ReplayProofs.check(
                try String(contentsOf: folder.appending(path: name), encoding: .utf8),
                at: "\(ReplayProofs.folder)/\(name)", against: files)
        }
        #expect(findings.map(\.description) == [])
    }
}
