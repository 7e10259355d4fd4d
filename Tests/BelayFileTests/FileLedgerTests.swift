import Belay
import BelayCore
import Foundation
import Testing

@testable import BelayFile

@Suite struct `A ledger in a file` {
    private func commit(_ ids: String..., to ledger: FileLedger) throws {
        for id in ids {
            let offer = ResumeMachine.Offer(ownID: EventID(id), lastEventID: EventID(id))
            guard ledger.offer(offer) == .handle(attempt: 1) else { continue }
            try ledger.commit()
        }
    }

    private func cause(_ body: () throws -> Void) -> FileLedgerError.Cause? {
        do {
            try body()
            return nil
        } catch {
            return (error as? FileLedgerError)?.cause
        }
    }

    @Test func `begins anew at a snapshot, and forgets the ids before it`() throws {
        let folder = try Folder()
        let first = try FileLedger(path: folder.path())
        #expect(try first.acquire())
        try commit("1", "2", to: first)
        try first.restarted(at: EventID("7"))
        first.release()

        let second = try FileLedger(path: folder.path())
        #expect(second.cursor == EventID("7"))
        #expect(second.committedIDs == ["7"].compactMap { EventID($0) })
    }

    // E2, E5, E13
    @Test func `goes on in its next life behind what was committed`() throws {
        let folder = try Folder()
        let first = try FileLedger(path: folder.path())
        #expect(first.cursor == nil)
        #expect(try first.acquire())
        try commit("1", "2", to: first)
        try first.moved(to: EventID("9"))
        first.release()

        let second = try FileLedger(path: folder.path())
        #expect(second.cursor == EventID("9"))
        #expect(second.committedIDs == ["1", "2"].compactMap(EventID.init))
        #expect(try second.acquire())
        let replay = ResumeMachine.Offer(ownID: EventID("1"), lastEventID: EventID("1"))
        #expect(second.offer(replay) == .skipCommitted)
        #expect(try folder.names == ["ledger", "ledger.lock"])
    }

    // E6
    @Test func `keeps as many ids as its window`() throws {
        let folder = try Folder()
        let ledger = try FileLedger(path: folder.path(), policy: ResumePolicy(window: 3))
        #expect(try ledger.acquire())
        try commit("1", "2", "3", "4", "5", to: ledger)
        ledger.release()
        let ids = ["3", "4", "5"].compactMap(EventID.init)
        #expect(try FileLedger(path: folder.path()).committedIDs == ids)
        let smaller = try FileLedger(path: folder.path(), policy: ResumePolicy(window: 1))
        #expect(smaller.committedIDs == ids.suffix(1))
    }

    @Test func `belongs to one processor at a time, by any of its names`() throws {
        let folder = try Folder()
        let first = try FileLedger(path: folder.path())
        #expect(try first.acquire())
        try commit("1", to: first)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"), withDestinationPath: folder.path())
        let second = try FileLedger(path: folder.path("link"))
        #expect(try first.acquire() == false)
        #expect(try second.acquire() == false)
        try commit("2", to: first)
        first.release()
        #expect(try second.acquire())
        #expect(second.cursor == EventID("2"))
        #expect(try first.acquire() == false)
        try commit("3", to: second)
        second.release()
        #expect(try first.acquire())
        #expect(first.cursor == EventID("3"))
    }

    // E16
    @Test(
        arguments: [
            ([], .corrupt), (Array("BelayLdg".utf8), .corrupt),
            (Array("something else".utf8), .foreign),
            // Version 2 with nothing in it.
            (
                Array("BelayLdg".utf8) + [0, 0, 0, 2, 0, 0, 0, 0, 0xBE, 0xEE, 0x55, 0x31],
                .newer(version: 2)
            ),
        ] as [([UInt8], FileLedgerError.Cause)])
    func `leaves a file as it is that it cannot read`(
        _ bytes: [UInt8], _ expected: FileLedgerError.Cause
    ) throws {
        let folder = try Folder()
        try folder.write(bytes)
        #expect(cause { _ = try FileLedger(path: folder.path()) } == expected)
        #expect(try folder.bytes == bytes)
        #expect(try folder.names == ["ledger"])
    }

    // E16
    @Test func `refuses at its next turn a file that was damaged meanwhile`() throws {
        let folder = try Folder()
        let ledger = try FileLedger(path: folder.path())
        #expect(try ledger.acquire())
        try commit("1", to: ledger)
        ledger.release()
        var bytes = try folder.bytes
        bytes[20] ^= 1
        try folder.write(bytes)
        #expect(cause { _ = try ledger.acquire() } == .corrupt)
        #expect(try folder.bytes == bytes)
        // Whoever could not begin holds nothing.
        bytes[20] ^= 1
        try folder.write(bytes)
        #expect(try ledger.acquire())
    }

    // E14, E16
    @Test func `keeps its cursor where it cannot store, and stores it later`() throws {
        let folder = try Folder()
        let ledger = try FileLedger(path: folder.path())
        #expect(try ledger.acquire())
        try commit("1", to: ledger)
        let before = try folder.bytes
        // In the way of the new file.
        try FileManager.default.createDirectory(
            atPath: folder.path("ledger.new"), withIntermediateDirectories: true)
        #expect(cause { try commit("2", to: ledger) } == .cannotOpen)
        #expect(ledger.cursor == EventID("1"))
        #expect(ledger.committedIDs.count == 1)
        #expect(try folder.bytes == before)
        try FileManager.default.removeItem(atPath: folder.path("ledger.new"))
        try ledger.commit()
        #expect(ledger.cursor == EventID("2"))
        ledger.release()
        #expect(try FileLedger(path: folder.path()).cursor == EventID("2"))
    }

    @Test func `writes over what a crash left beside it`() throws {
        let folder = try Folder()
        try Data("half a rec".utf8).write(to: folder.url.appending(path: "ledger.new"))
        let ledger = try FileLedger(path: folder.path())
        #expect(try ledger.acquire())
        try commit("1", to: ledger)
        ledger.release()
        #expect(try FileLedger(path: folder.path()).cursor == EventID("1"))
        #expect(try folder.names == ["ledger", "ledger.lock"])
    }

    @Test(arguments: ["missing/ledger", "", "..", "sub/"])
    func `says that it cannot be where no file can be`(_ name: String) throws {
        let folder = try Folder()
        let path = name.isEmpty ? "" : folder.path(name)
        #expect(cause { _ = try FileLedger(path: path) } == .cannotOpen)
    }

    @Test func `traps where nobody acquired it`() async {
        await #expect(processExitsWith: .failure) {
            let folder = try Folder()
            let ledger = try FileLedger(path: folder.path())
            _ = ledger.offer(ResumeMachine.Offer(ownID: nil, lastEventID: nil))
            try ledger.commit()
        }
    }
}
