import Testing

@testable import BelayCore

@Suite struct `The window of committed ids` {
    private func window(limit: Int, _ ids: String...) throws -> CommittedWindow {
        var window = CommittedWindow(limit: limit)
        for id in ids { window.insert(try #require(EventID(id))) }
        return window
    }

    private func kept(_ window: CommittedWindow, of ids: String) -> String {
        ids.filter { EventID(String($0)).map(window.contains) ?? false }
    }

    @Test func `forgets the oldest first`() throws {
        let window = try window(limit: 3, "a", "b", "c", "d", "e")
        #expect(kept(window, of: "abcdef") == "cde")
    }

    @Test func `keeps a repeated id in its place`() throws {
        let window = try window(limit: 3, "a", "b", "a", "c", "d")
        #expect(kept(window, of: "abcd") == "bcd")
    }

    @Test func `takes a forgotten id again`() throws {
        let window = try window(limit: 2, "a", "b", "c", "a")
        #expect(kept(window, of: "abc") == "ac")
    }

    @Test func `forgets what it is told to, and keeps the order of the others`() throws {
        var window = try window(limit: 3, "a", "b", "c", "d")
        window.remove(try #require(EventID("c")))
        window.remove(try #require(EventID("a")))
        #expect(kept(window, of: "abcd") == "bd")
        for id in ["e", "f"] { window.insert(try #require(EventID(id))) }
        #expect(window.inOrder.map(\.text) == ["d", "e", "f"])
    }

    @Test func `holds one id at the least limit`() throws {
        let window = try window(limit: 1, "a", "b")
        #expect(kept(window, of: "ab") == "b")
    }
}
