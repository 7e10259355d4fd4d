import Belay
import BelayFile
import BelaySQLite
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A durable ledger beside another process` {
    @Test(arguments: [LedgerKind.file, .sqlite])
    func `is refused to it, and free again where that one was killed`(
        kind: LedgerKind
    ) async throws {
        let folder = try Folder()
        let (path, isFile) = (folder.path("ledger"), kind == .file)
        let ours = try Self.ledger(path, isFile: isFile)
        #expect(try ours.acquire())
        await #expect(processExitsWith: .success) {
            [path = path as String, isFile = isFile as Bool] in
            let isTheirs = try Self.ledger(path, isFile: isFile).acquire()
            #expect(!isTheirs)
        }
        ours.release()
        // It has it, and never lets go.
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, isFile = isFile as Bool] in
            let theirs = try Self.ledger(path, isFile: isFile)
            let isTheirs = try theirs.acquire()
            try #require(isTheirs)
            kill(getpid(), SIGKILL)
        }
        #expect(try ours.acquire())
        ours.release()
    }

    private static func ledger(_ path: String, isFile: Bool) throws -> any EventLedger {
        isFile
            ? try FileLedger(path: path) : try SQLiteLedger(path: path, stream: "feed")
    }
}
