import BelayCore

/// What a ledger's file holds, and how it is written in bytes.
///
/// Magic, version, length of what follows, cursor, number of ids, ids oldest first, checksum.
/// Numbers are four bytes, the highest first; a text is its length and its UTF-8; no text is empty,
/// and length 0 is no cursor. Magic, version, length and checksum stay where they are in every
/// version: they tell an older release what it does not know from what is damaged.
struct LedgerRecord: Hashable, Sendable {
    /// Why bytes are no record.
    enum Fault: Error, Hashable {
        case foreign
        case corrupt
        case newer(version: UInt32)
    }

    static let version: UInt32 = 1
    /// 64 MiB: more is read into memory for no file, however damaged.
    static let byteLimit = 64 << 20
    private static let magic = Array("BelayLdg".utf8)
    /// Magic, version, length.
    private static let headBytes = 16

    /// What the next request says; `nil` for nothing.
    var cursor: EventID?
    /// Oldest first, each once.
    var committedIDs: [EventID]

    init(cursor: EventID?, committedIDs: [EventID]) {
        self.cursor = cursor
        self.committedIDs = committedIDs
    }

    /// The record in bytes.
    var encoded: [UInt8] {
        var body: [UInt8] = []
        body.append(text: cursor)
        body.append(number: UInt32(committedIDs.count))
        for id in committedIDs { body.append(text: id) }
        var bytes = Self.magic
        bytes.append(number: Self.version)
        bytes.append(number: UInt32(body.count))
        bytes += body
        bytes.append(number: Checksum.crc32(bytes[...]))
        return bytes
    }

    /// The record in these bytes: all of them, and no other bytes have it.
    init(decoding bytes: [UInt8]) throws(Fault) {
        let magic = Self.magic
        guard bytes.starts(with: magic) else {
            throw magic.starts(with: bytes) ? .corrupt : .foreign
        }
        guard bytes.count >= Self.headBytes + 4 else { throw .corrupt }
        var head = ByteReader(bytes[magic.count..<Self.headBytes])
        let (version, length) = (try head.number(), try head.number())
        let body = bytes[Self.headBytes..<(bytes.count - 4)]
        var tail = ByteReader(bytes[(bytes.count - 4)...])
        guard body.count == Int(length),
            try tail.number() == Checksum.crc32(bytes[..<(bytes.count - 4)])
        else { throw .corrupt }
        guard version <= Self.version else { throw .newer(version: version) }
        guard version > 0 else { throw .corrupt }
        try self.init(body: ByteReader(body))
    }

    private init(body: ByteReader) throws(Fault) {
        var body = body
        cursor = try body.text()
        committedIDs = []
        var known: Set<EventID> = []
        for _ in 0..<(try body.number()) {
            guard let id = try body.text(), known.insert(id).inserted else { throw .corrupt }
            committedIDs.append(id)
        }
        guard body.isAtEnd else { throw .corrupt }
    }
}

extension [UInt8] {
    fileprivate mutating func append(number: UInt32) {
        for shift in [24, 16, 8, 0] { append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    fileprivate mutating func append(text id: EventID?) {
        let utf8 = id?.utf8 ?? []
        append(number: UInt32(utf8.count))
        self += utf8
    }
}

/// Reads a record's bytes from the front.
private struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number() throws(LedgerRecord.Fault) -> UInt32 {
        try take(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func text() throws(LedgerRecord.Fault) -> EventID? {
        let utf8 = try take(Int(try number()))
        guard let text = String(validating: utf8, as: UTF8.self) else { throw .corrupt }
        return EventID(text)
    }

    private mutating func take(_ count: Int) throws(LedgerRecord.Fault) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw .corrupt }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
