import Belay
import BelayFile
import BelaySQLite
import Foundation

/// The ledgers that there are, made anew for each test.
enum LedgerKind: CaseIterable {
    case memory, file, sqlite

    func make(in folder: Folder, policy: ResumePolicy = ResumePolicy()) throws -> any EventLedger {
        switch self {
        case .memory: MemoryLedger(policy: policy)
        case .file: try FileLedger(path: folder.path("ledger"), policy: policy)
        case .sqlite:
            try SQLiteLedger(path: folder.path("ledger.sqlite"), stream: "a", policy: policy)
        }
    }
}

/// A folder of a test's own, gone with the value.
final class Folder: Sendable {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "belay-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // What is left behind in a temporary folder harms nobody.
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of a file in it.
    func path(_ name: String) -> String { url.appending(path: name).path() }
}
