import Foundation

/// A folder of a test's own, gone with the value.
final class Folder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "belay-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // What is left behind in a temporary folder harms nobody.
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of a file in it.
    func path(_ name: String = "ledger.sqlite") -> String { url.appending(path: name).path() }

    func write(_ bytes: [UInt8], to name: String = "ledger.sqlite") throws {
        try Data(bytes).write(to: url.appending(path: name))
    }

    func bytes(of name: String = "ledger.sqlite") throws -> [UInt8] {
        Array(try Data(contentsOf: url.appending(path: name)))
    }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path()).sorted() }
    }
}
