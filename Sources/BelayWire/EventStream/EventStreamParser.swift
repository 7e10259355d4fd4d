/// Turns the bytes of one event stream into events, in linear time, however they are chunked.
///
/// One parser reads one connection. Seed it with the cursor of the connection before it, hand it
/// every chunk as it comes, and call `finish()` when the stream ends.
///
/// The specification sets the cursor of a new stream to the empty string; browsers keep the known
/// one, or the first blank line after a reconnect would lose the place. So does this parser.
/// Source: HTML, 9.2.5 and 9.2.6.
public struct EventStreamParser: Sendable {
    /// The cursor: the id of the last complete block that carried one.
    ///
    /// What the next request says in `Last-Event-ID`, if the events were handled too.
    public private(set) var lastEventID: String

    /// What may be held.
    public let limits: EventStreamLimits

    /// The block that no blank line has completed yet.
    var block = Block()

    /// The beginning of a line whose end has not come.
    private var partialLine: [UInt8] = []

    /// The last byte was a CR: an LF that follows belongs to it.
    private var skipsLineFeed = false

    /// How many bytes of the byte order mark have been seen; nil once that is settled.
    private var markBytesSeen: Int? = 0

    /// Bytes of the stream before the chunk at hand.
    private var bytesBefore: UInt64 = 0

    private var failure: EventStreamError?

    /// A parser at the start of a stream, with the cursor that the request named.
    public init(lastEventID: String = "", limits: EventStreamLimits = .default) {
        self.lastEventID = lastEventID
        self.limits = limits
    }

    /// Takes the next bytes of the stream and appends what they complete.
    ///
    /// - Throws: `EventStreamError` when a limit is exceeded. What was complete before that is in
    ///   `elements`. The parser is spent: every later call throws the same error.
    public mutating func append(
        _ bytes: UnsafeRawBufferPointer, into elements: inout [EventStreamElement]
    ) throws(EventStreamError) {
        if let failure { throw failure }
        do throws(EventStreamError) {
            try parse(bytes, into: &elements)
        } catch {
            failure = error
            throw error
        }
    }

    /// Takes the next bytes of the stream, as the call with a buffer does.
    public mutating func append(
        _ bytes: [UInt8], into elements: inout [EventStreamElement]
    ) throws(EventStreamError) {
        try bytes.withUnsafeBufferPointer { (buffer) throws(EventStreamError) in
            try append(UnsafeRawBufferPointer(buffer), into: &elements)
        }
    }

    /// Takes the next bytes of the stream, as the call with a buffer does.
    public mutating func append(
        _ bytes: ArraySlice<UInt8>, into elements: inout [EventStreamElement]
    ) throws(EventStreamError) {
        try bytes.withUnsafeBufferPointer { (buffer) throws(EventStreamError) in
            try append(UnsafeRawBufferPointer(buffer), into: &elements)
        }
    }

    /// The stream has ended: drops what no blank line completed, also an id (requirement E3).
    ///
    /// The cursor stays. The parser then stands at the start of another stream.
    public mutating func finish() {
        self = EventStreamParser(lastEventID: lastEventID, limits: limits)
    }

    private mutating func parse(
        _ bytes: UnsafeRawBufferPointer, into elements: inout [EventStreamElement]
    ) throws(EventStreamError) {
        defer { bytesBefore += UInt64(bytes.count) }
        var start = skipByteOrderMark(bytes)
        while start < bytes.count {
            if skipsLineFeed {
                skipsLineFeed = false
                if bytes[start] == ASCII.lineFeed {
                    start += 1
                    continue
                }
            }
            let end = EventStreamLines.firstEnd(in: bytes, from: start)
            let rest = bytes.part(start..<end)
            let lineStart = bytesBefore + UInt64(start) - UInt64(partialLine.count)
            try checkLine(of: partialLine.count + rest.count, from: lineStart)
            guard end < bytes.count else {
                partialLine.append(contentsOf: rest)
                return
            }
            skipsLineFeed = bytes[end] == ASCII.carriageReturn
            start = end + 1
            try completeLine(rest, endingAt: bytesBefore + UInt64(end), into: &elements)
        }
    }

    /// Passes over a byte order mark at the very start, in as many pieces as it may come.
    private mutating func skipByteOrderMark(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard var seen = markBytesSeen else { return 0 }
        let mark = EventStreamLines.byteOrderMark
        var index = 0
        while index < bytes.count, seen < mark.utf8CodeUnitCount {
            guard bytes[index] == mark.utf8Start[seen] else {
                // No mark after all: what looked like one begins the first line.
                for place in 0..<(seen - index) { partialLine.append(mark.utf8Start[place]) }
                markBytesSeen = nil
                return 0
            }
            index += 1
            seen += 1
        }
        markBytesSeen = seen < mark.utf8CodeUnitCount ? seen : nil
        return index
    }

    private mutating func completeLine(
        _ rest: UnsafeRawBufferPointer, endingAt end: UInt64,
        into elements: inout [EventStreamElement]
    ) throws(EventStreamError) {
        if partialLine.isEmpty {
            return try interpret(rest, endingAt: end, into: &elements)
        }
        // Taken out while it is read, so that no exclusive access to self is needed twice.
        var line: [UInt8] = []
        swap(&line, &partialLine)
        line.append(contentsOf: rest)
        try line.withUnsafeBufferPointer { (buffer) throws(EventStreamError) in
            try interpret(UnsafeRawBufferPointer(buffer), endingAt: end, into: &elements)
        }
        line.removeAll(keepingCapacity: line.capacity <= Block.retainedCapacity)
        swap(&line, &partialLine)
    }

    private func checkLine(of length: Int, from start: UInt64) throws(EventStreamError) {
        let room = max(limits.pendingBytes - block.byteCount, 0)
        guard length > min(room, limits.lineBytes) else { return }
        // The limit that a slower chunking would have met first is the one to name.
        if room < limits.lineBytes {
            throw EventStreamError(
                limit: .pendingBytes, maximum: limits.pendingBytes, offset: start + UInt64(room))
        }
        throw EventStreamError(
            limit: .lineBytes, maximum: limits.lineBytes,
            offset: start + UInt64(limits.lineBytes))
    }

    /// The blank line: an event, or a cursor that moves by itself, or nothing at all.
    mutating func dispatch(into elements: inout [EventStreamElement]) {
        if let id = block.id { lastEventID = id }
        if block.hasData {
            elements.append(.event(block.event(lastEventID: lastEventID)))
        } else if let id = block.id {
            elements.append(.lastEventID(id))
        }
        block.clear()
    }
}
