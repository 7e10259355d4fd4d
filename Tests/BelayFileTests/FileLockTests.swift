import Foundation
import Testing

@testable import BelayFile

@Suite struct `A lock on a file` {
    /// Between its fork and its exec a child has every descriptor of its parent.
    @Test func `is let go of while a child still has its descriptor`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "belay-\(UUID()).lock")
        defer { try? FileManager.default.removeItem(at: file) }
        var lock = try FileLock(path: file.path())
        let copy = dup(try #require(lock).descriptor)
        defer { close(copy) }
        let second = try FileLock(path: file.path())
        #expect(second == nil)
        lock = nil
        lock = try FileLock(path: file.path())
        #expect(lock != nil)
    }
}
