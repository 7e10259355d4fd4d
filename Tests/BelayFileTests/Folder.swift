import Foundation

/// A folder of a test's own, gone with the value.
final class Folder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appending(path: "belay-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // What is left behind in a temporary folder harms nobody.
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String = "ledger") -> String { url.appending(path: name).path() }

    func write(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: url.appending(path: "ledger"))
    }

    var bytes: [UInt8] {
        get throws { Array(try Data(contentsOf: url.appending(path: "ledger"))) }
    }

    var names: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: url.path()).sorted()
        }
    }
}
