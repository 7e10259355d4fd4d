/// Turns the bytes of one event stream into events, in linear time, however they are chunked.
///
/// One parser reads one connection. Seed it with the cursor of the connection before it, hand it
/// every chunk as it comes, and call `finish()` when the stream ends. Elements are lent as spans
/// into the chunk (`append(_:reporting:)`), or given as values of their own, one by one
/// (`append(_:giving:)`) or all of a chunk (`append(_:into:)`); they are the same elements.
///
/// The specification sets the cursor of a new stream to the empty string; browsers keep the known
/// one, or the first blank line after a reconnect would lose the place. So does this parser.
/// Source: HTML, 9.2.5 and 9.2.6.
public struct EventStreamParser: Sendable {
    /// Takes an element that is lent for the length of the call.
    public typealias Report = (borrowing BorrowedEventStreamElement) -> Void

    /// What may be held.
    public let limits: EventStreamLimits

    /// A line up to here fits, whatever block it stands in.
    private let certainBytes: Int

    /// The id of the last complete block that carried one.
    var cursor = Value()

    /// The block that no blank line has completed yet.
    var block = Block()

    /// The beginning of a line whose end has not come.
    private var partialLine = KeptBytes()

    /// The last byte was a CR: an LF that follows belongs to it.
    private var skipsLineFeed = false

    /// How many bytes of the byte order mark have been seen; nil once that is settled.
    private var markBytesSeen: Int? = 0

    /// Bytes of the stream before the chunk at hand.
    private var bytesBefore: UInt64 = 0

    private var failure: EventStreamError?

    /// A parser at the start of a stream, with the cursor that the request named.
    public init(lastEventID: String = "", limits: EventStreamLimits = .default) {
        self.limits = limits
        certainBytes = min(limits.lineBytes, limits.pendingBytes - limits.eventBytes)
        var lastEventID = lastEventID
        lastEventID.withUTF8 { cursor.copy(UnsafeRawBufferPointer($0)) }
    }

    /// The cursor: the id of the last complete block that carried one.
    ///
    /// What the next request says in `Last-Event-ID`, if the events were handled too.
    public var lastEventID: String {
        String(decoding: cursor.kept.bytes[cursor.range], as: UTF8.self)
    }

    /// Takes the next bytes of the stream and lends what they complete to `report`, in order.
    ///
    /// Nothing is copied but what a chunk leaves unfinished, and data of several lines, which are
    /// joined. The spans end with the call of `report`; the compiler lets none escape. They may be
    /// as long as `limits` let an event be.
    ///
    /// - Throws: `EventStreamError` when a limit is exceeded. What was complete before that has
    ///   been reported. The parser is spent: every later call throws the same error.
    public mutating func append(
        _ bytes: RawSpan, reporting report: Report
    ) throws(EventStreamError) {
        if let failure { throw failure }
        do throws(EventStreamError) {
            try bytes.withUnsafeBytes { (chunk) throws(EventStreamError) in
                try parse(chunk, report)
            }
        } catch {
            failure = error
            block = Block()  // Its values may lie in a chunk that goes.
            throw error
        }
    }

    /// The stream has ended: drops what no blank line completed, also an id (requirement E3).
    ///
    /// The cursor stays. The parser then stands at the start of another stream.
    public mutating func finish() {
        self = EventStreamParser(lastEventID: lastEventID, limits: limits)
    }

    private mutating func parse(
        _ chunk: UnsafeRawBufferPointer, _ report: Report
    ) throws(EventStreamError) {
        defer {
            cursor.keep(from: chunk)
            bytesBefore += UInt64(chunk.count)
        }
        var start = markBytesSeen == nil ? 0 : skipByteOrderMark(chunk)
        while start < chunk.count {
            if skipsLineFeed {
                skipsLineFeed = false
                if chunk[start] == ASCII.lineFeed {
                    start += 1
                    continue
                }
            }
            // A blank line, which every block has, needs no search.
            let end =
                chunk[start] == ASCII.lineFeed
                ? start : EventStreamLines.firstEnd(in: chunk, from: start)
            let length = partialLine.count + end - start
            if length > certainBytes { try checkLine(of: length, upTo: bytesBefore + UInt64(end)) }
            guard end < chunk.count else {
                partialLine.append(chunk.part(start..<end))
                break
            }
            skipsLineFeed = chunk[end] == ASCII.carriageReturn
            let offset = bytesBefore + UInt64(end)
            if partialLine.count == 0 {
                try interpret(start..<end, of: chunk, endingAt: offset, report)
            } else {
                try completePartialLine(chunk.part(start..<end), endingAt: offset, report)
            }
            start = end + 1
        }
        block.keep(from: chunk)
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

    /// Reads a line that came in pieces, as a chunk of its own.
    ///
    /// It is the first line of the chunk at hand, so that nothing lies in that one yet.
    private mutating func completePartialLine(
        _ rest: UnsafeRawBufferPointer, endingAt end: UInt64, _ report: Report
    ) throws(EventStreamError) {
        // Taken out while it is read, so that no exclusive access to self is needed twice.
        var line = KeptBytes()
        swap(&line, &partialLine)
        line.append(rest)
        let length = line.count
        try line.bytes.span.bytes.withUnsafeBytes { (line) throws(EventStreamError) in
            try interpret(0..<length, of: line, endingAt: end, report)
        }
        block.keep(from: &line)
        line.clear()
        swap(&line, &partialLine)
    }

    private func checkLine(of length: Int, upTo end: UInt64) throws(EventStreamError) {
        let room = max(limits.pendingBytes - block.byteCount, 0)
        let most = min(room, limits.lineBytes)
        guard length > most else { return }
        // The limit that a slower chunking would have met first is the one to name.
        let isPending = room < limits.lineBytes
        throw EventStreamError(
            limit: isPending ? .pendingBytes : .lineBytes,
            maximum: isPending ? limits.pendingBytes : limits.lineBytes,
            offset: end - UInt64(length - most))
    }
}
