import BelayCore
import BelaySQLite
import Testing

@Suite struct `The file of a durable ledger` {
    private func refusal(_ folder: Folder, _ name: String = "ledger.sqlite") -> SQLiteError? {
        do throws(SQLiteError) {
            _ = try SQLiteLedger(path: folder.path(name), stream: "orders")
            return nil
        } catch {
            return error
        }
    }

    /// A ledger with one event, closed, so that its file is whole.
    private func written() throws -> Folder {
        let folder = try Folder()
        let ledger = try SQLiteLedger(path: folder.path(), stream: "orders")
        for id in 1...200 { try ledger.take("\(id)") }
        return folder
    }

    /// One byte alone is no content to SQLite, which makes such files itself.
    @Test(arguments: [2, 15, 100, 512, 4_096, 70_000])
    func `is left as it is when it is no database`(count: Int) throws {
        let folder = try Folder()
        var chance = SystemRandomNumberGenerator()
        let bytes = (0..<count).map { _ in UInt8.random(in: 1...255, using: &chance) }
        try folder.write(bytes)
        let error = try #require(refusal(folder))
        #expect(error.cause == .notADatabase)
        #expect(error.path == folder.path())
        #expect(error.description.hasPrefix(folder.path()))
        #expect(try folder.bytes() == bytes)
    }

    @Test(arguments: [0.1, 0.4, 0.6, 0.9])
    func `is left as it is when it was cut short`(part: Double) throws {
        let folder = try written()
        let whole = try folder.bytes()
        let bytes = Array(whole.prefix(Int(Double(whole.count) * part)))
        try folder.write(bytes)
        #expect(refusal(folder)?.cause == .corrupt)
        #expect(try folder.bytes() == bytes)
    }

    @Test func `is left as it is when a later release wrote it`() throws {
        let folder = try written()
        let raw = try RawDatabase(folder.path())
        try raw.run("UPDATE belay_ledger SET version = 2")
        raw.close()
        let bytes = try folder.bytes()
        let error = try #require(refusal(folder))
        #expect(error.cause == .newer(version: 2))
        #expect(error.message == "a ledger of version 2; this release knows 1")
        #expect(try folder.bytes() == bytes)
    }

    @Test func `is left as it is when it is a database of something else`() throws {
        let folder = try Folder()
        let raw = try RawDatabase(folder.path())
        try raw.run("CREATE TABLE visits (page TEXT)")
        raw.close()
        let bytes = try folder.bytes()
        #expect(refusal(folder)?.cause == .foreign)
        #expect(try folder.bytes() == bytes)
        #expect(try folder.names == ["ledger.sqlite"])
    }

    @Test func `may be the app's own database where that is said`() throws {
        let folder = try Folder()
        let raw = try RawDatabase(folder.path())
        try raw.run("CREATE TABLE orders (id TEXT)")
        raw.close()
        let ledger = try SQLiteLedger(
            path: folder.path(), stream: "orders", admitting: .anyDatabase)
        try ledger.take("1") { try $0.run("INSERT INTO orders VALUES (?)", "1") }
        #expect(try ledger.texts("SELECT id FROM orders") == ["1"])
        #expect(refusal(folder) == nil)
    }

    @Test func `cannot be made in a folder that is not there, nor in a file`() throws {
        let folder = try Folder()
        #expect(refusal(folder, "none/ledger.sqlite")?.cause == .cannotOpen)
        try folder.write([1], to: "file")
        #expect(refusal(folder, "file/ledger.sqlite")?.cause == .cannotOpen)
        #expect(try folder.names == ["file"])
    }

    @Test(arguments: ["", ":memory:"])
    func `is a file, and not memory`(path: String) {
        #expect(throws: SQLiteError.self) { try SQLiteLedger(path: path, stream: "orders") }
    }

    /// Not even the system's owner may write there.
    @Test func `cannot be made where nobody may write`() {
        do throws(SQLiteError) {
            _ = try SQLiteLedger(path: "/proc/self/ledger.sqlite", stream: "orders")
            Issue.record("made a file there")
        } catch {
            #expect(error.cause == .cannotOpen)
        }
    }

    @Test func `holds several streams, each with its own ids and cursor`() throws {
        let folder = try Folder()
        let orders = try SQLiteLedger(path: folder.path(), stream: "orders")
        let prices = try SQLiteLedger(path: folder.path(), stream: "prices")
        try orders.take("1")
        try orders.take("2")
        try prices.take("1")
        #expect(orders.cursor == EventID("2"))
        #expect(prices.cursor == EventID("1"))
        let again = try SQLiteLedger(path: folder.path(), stream: "prices")
        #expect(again.cursor == EventID("1"))
        #expect(try again.record(of: #require(EventID("2"))) == nil)
    }
}
