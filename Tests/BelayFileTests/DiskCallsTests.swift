import Belay
import BelayCore
import Foundation
import Synchronization
import Testing

@testable import BelayFile

@Suite struct `The calls by which a ledger's file is replaced` {
    /// Passes on each call, once it is known on what, and may have one fail.
    private final class Listener: Sendable {
        enum Call: Hashable {
            /// So many bytes, into the file that has the ledger's name later.
            case write(Int)
            case synchronizeFile
            case rename
            case synchronizeFolder
        }

        private let heard = Mutex<[Call]>([])
        private let failing: Call?
        private let path: String

        init(path: String, failing: Call? = nil) {
            (self.path, self.failing) = (path, failing)
        }

        var calls: [Call] { heard.withLock { $0 } }

        var disk: DiskCalls {
            let system = DiskCalls.system
            return DiskCalls(
                write: { [self] file, bytes in
                    take(.write(bytes.count)) ?? system.write(file, bytes)
                },
                synchronize: { [self] file in
                    let call = Self.isFolder(file) ? Call.synchronizeFolder : .synchronizeFile
                    return take(call).map(Int32.init) ?? system.synchronize(file)
                },
                rename: { [self] old, new in
                    #expect(old == path + ".new" && new == path)
                    return take(.rename).map(Int32.init) ?? system.rename(old, new)
                })
        }

        /// What the call answers in the system's place, if it is to fail.
        private func take(_ call: Call) -> Int? {
            heard.withLock { $0.append(call) }
            guard call == failing else { return nil }
            errno = EIO
            return -1
        }

        private static func isFolder(_ file: Int32) -> Bool {
            var status = stat()
            return fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        }
    }

    private func commit(_ id: String, to ledger: FileLedger) throws {
        let offer = ResumeMachine.Offer(ownID: EventID(id), lastEventID: EventID(id))
        try #require(ledger.offer(offer) == .handle(attempt: 1))
        try ledger.commit()
    }

    // E5, E13
    @Test func `bring the file to the disk, then its name, before a commit returns`() throws {
        let folder = try Folder()
        let listener = Listener(path: try LedgerFile.resolved(folder.path()))
        let ledger = try FileLedger(path: folder.path(), disk: listener.disk)
        #expect(try ledger.acquire())
        for id in ["1", "2"] {
            let before = listener.calls.count
            try commit(id, to: ledger)
            let size = try folder.bytes.count
            #expect(
                listener.calls[before...] == [
                    .write(size), .synchronizeFile, .rename, .synchronizeFolder,
                ])
        }
    }

    // E14, E16
    @Test func `leave the old file where the new one does not come to the disk`() throws {
        let folder = try Folder()
        let first = try FileLedger(path: folder.path())
        #expect(try first.acquire())
        try commit("1", to: first)
        first.release()
        let before = try folder.bytes
        let listener = Listener(
            path: try LedgerFile.resolved(folder.path()), failing: .synchronizeFile)
        let ledger = try FileLedger(path: folder.path(), disk: listener.disk)
        #expect(try ledger.acquire())
        #expect(throws: FileLedgerError.self) { try commit("2", to: ledger) }
        #expect(!listener.calls.contains(.rename))
        #expect(ledger.cursor == EventID("1"))
        #expect(try folder.bytes == before)
        #expect(try folder.names == ["ledger", "ledger.lock"])
    }

    /// The file has its name, but a crash could take it back: the event is not told committed.
    @Test func `commit nothing where the folder does not come to the disk`() throws {
        let folder = try Folder()
        let listener = Listener(
            path: try LedgerFile.resolved(folder.path()), failing: .synchronizeFolder)
        let ledger = try FileLedger(path: folder.path(), disk: listener.disk)
        #expect(try ledger.acquire())
        #expect(throws: FileLedgerError.self) { try commit("1", to: ledger) }
        #expect(listener.calls.suffix(2) == [.rename, .synchronizeFolder])
        #expect(ledger.cursor == nil)
    }
}
