import BelayCore
import Testing

@testable import BelayFile

@Suite struct `A record in bytes` {
    private static let record = LedgerRecord(
        cursor: EventID("3"), committedIDs: ["1", "é", "e\u{301}", "3"].compactMap(EventID.init))

    private static func fault(of bytes: [UInt8]) -> LedgerRecord.Fault? {
        do throws(LedgerRecord.Fault) {
            _ = try LedgerRecord(decoding: bytes)
            return nil
        } catch {
            return error
        }
    }

    /// The same with another body or version, and the right length and checksum.
    private static func sealed(version: UInt32 = 1, _ body: [UInt8]) -> [UInt8] {
        func bytes(_ number: Int) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        }
        let head = Array("BelayLdg".utf8) + bytes(Int(version)) + bytes(body.count) + body
        return head + bytes(Int(Checksum.crc32(head[...])))
    }

    @Test(
        arguments: [
            LedgerRecord(cursor: nil, committedIDs: []), record,
            LedgerRecord(cursor: EventID("9"), committedIDs: []),
            LedgerRecord(cursor: nil, committedIDs: [EventID("1")].compactMap(\.self)),
            LedgerRecord(
                cursor: nil, committedIDs: (0..<1_024).compactMap { EventID("event-\($0)") }),
        ])
    func `is what was written`(_ record: LedgerRecord) throws {
        #expect(try LedgerRecord(decoding: record.encoded) == record)
    }

    @Test(arguments: 0..<record.encoded.count)
    func `is refused when it is cut`(at count: Int) {
        #expect(Self.fault(of: Array(Self.record.encoded[..<count])) == .corrupt)
    }

    @Test(arguments: 0..<record.encoded.count)
    func `is refused when a byte of it is any other`(at place: Int) {
        var bytes = Self.record.encoded
        let right = bytes[place]
        let faults = (0...255).filter { $0 != right }.map { wrong in
            bytes[place] = wrong
            return Self.fault(of: bytes)
        }
        #expect(faults.allSatisfy { $0 == (place < 8 ? .foreign : .corrupt) })
    }

    @Test func `is refused when something stands behind it`() {
        #expect(Self.fault(of: Self.record.encoded + [0]) == .corrupt)
        #expect(Self.fault(of: Self.record.encoded + Self.record.encoded) == .corrupt)
    }

    @Test func `is told from a later version's and from other files`() {
        #expect(Self.fault(of: Self.sealed(version: 2, [1, 2, 3])) == .newer(version: 2))
        #expect(Self.fault(of: Self.sealed(version: 0, [])) == .corrupt)
        #expect(Self.fault(of: Array("SQLite format 3\0".utf8)) == .foreign)
    }

    @Test(
        arguments: [
            ("an empty id", [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]),
            ("an id twice", [0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 65, 0, 0, 0, 1, 65]),
            ("an id that is no UTF-8", [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0xFF]),
            ("fewer ids than it says", [0, 0, 0, 0, 0, 0, 0, 1]),
            ("more ids than it says", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 65]),
            ("a text beyond its end", [0xFF, 0xFF, 0xFF, 0xFF, 65]),
            ("no number of ids", [0, 0, 0, 0]), ("nothing", []),
        ] as [(String, [UInt8])])
    func `is refused with a right checksum`(_ fault: String, _ body: [UInt8]) {
        #expect(Self.fault(of: Self.sealed(body)) == .corrupt, "\(fault)")
    }

    @Test func `has the checksum of ISO 3309`() {
        // The check value of CRC-32 in the catalogues.
        #expect(Checksum.crc32(Array("123456789".utf8)[...]) == 0xCBF4_3926)
    }
}
