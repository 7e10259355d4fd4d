/// Reads one head, however it is chunked, and leaves what follows it alone.
///
/// What a lenient reader would guess at is refused: two readers that guess differently are how
/// requests are smuggled. A lone LF ends a line, as RFC 9112 §2.2 allows.
public struct HTTPHeadParser<Head: HTTPHead>: Sendable {
    /// Whether nothing of a head has come yet.
    ///
    /// A connection that ends now ended cleanly.
    public var isAtStart: Bool { head == nil && line.isEmpty }

    private let limits: HTTPHeadLimits

    /// The head so far, once its first line was read.
    private var head: Head?

    /// The beginning of a line whose end has not come.
    private var line: [UInt8] = []

    /// Where that line begins in the head.
    private var lineOffset = 0

    private var failure: HTTPHeadError?

    /// A parser at the start of a head.
    public init(limits: HTTPHeadLimits = .default) {
        self.limits = limits
    }

    /// Takes the next bytes; answers the head when they complete it, nil when more are needed.
    ///
    /// `consumed` counts the bytes of this call that belong to the head. What follows is the body,
    /// or the first frames; the parser stands at the start of another head.
    /// - Throws: `HTTPHeadError`. The parser is spent: every later call throws the same error.
    public mutating func append(
        _ bytes: UnsafeRawBufferPointer
    ) throws(HTTPHeadError) -> (head: Head, consumed: Int)? {
        if let failure { throw failure }
        do throws(HTTPHeadError.Fault) {
            return try parse(bytes)
        } catch {
            let error = HTTPHeadError(error, offset: lineOffset)
            failure = error
            throw error
        }
    }

    /// Takes the next bytes, as the call with a buffer does.
    public mutating func append(
        _ bytes: [UInt8]
    ) throws(HTTPHeadError) -> (head: Head, consumed: Int)? {
        try bytes.withUnsafeBufferPointer {
            (buffer) throws(HTTPHeadError) -> (head: Head, consumed: Int)? in
            try append(UnsafeRawBufferPointer(buffer))
        }
    }

    private mutating func parse(
        _ bytes: UnsafeRawBufferPointer
    ) throws(HTTPHeadError.Fault) -> (head: Head, consumed: Int)? {
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: ASCII.lineFeed)
            line.append(contentsOf: bytes.part(start..<(end ?? bytes.count)))
            try checkLength(lineEndBytes: end == nil ? 0 : 1)
            guard let end else { return nil }
            start = end + 1
            let byteCount = line.count + 1
            if try completeLine(), let head {
                self = HTTPHeadParser(limits: limits)
                return (head, start)
            }
            line.removeAll(keepingCapacity: true)
            lineOffset += byteCount
        }
        return nil
    }

    /// Judges a line as it grows: what has come of it already decides, whatever its end will be.
    private func checkLength(lineEndBytes: Int) throws(HTTPHeadError.Fault) {
        // A CR at the end may be half of the line's end, and is not of the line.
        let length = line.last == ASCII.carriageReturn ? line.count - 1 : line.count
        let room = limits.headBytes - lineOffset
        // The limit that a slower chunking would have met first is the one to name.
        if length > limits.lineBytes, limits.lineBytes < room {
            throw .lineTooLong(maximum: limits.lineBytes)
        }
        guard line.count + lineEndBytes <= room else {
            throw .headTooLong(maximum: limits.headBytes)
        }
    }

    /// Reads a whole line; true if it was the empty one at the end of the head.
    private mutating func completeLine() throws(HTTPHeadError.Fault) -> Bool {
        if line.last == ASCII.carriageReturn { line.removeLast() }
        guard !line.contains(ASCII.carriageReturn) else { throw .bareCarriageReturn }
        guard !line.contains(ASCII.nul) else { throw .nul }
        guard head != nil else {
            if line.isEmpty, Head.mayFollowEmptyLines { return false }
            head = try line.withUnsafeBufferPointer {
                (buffer) throws(HTTPHeadError.Fault) -> Head in
                try Head(startLine: UnsafeRawBufferPointer(buffer))
            }
            return false
        }
        if line.isEmpty { return true }
        let (name, value) = try field()
        guard let count = head?.fields.count, count < limits.fieldCount else {
            throw .tooManyFields(maximum: limits.fieldCount)
        }
        head?.fields.append(name, value)
        return false
    }

    /// Source: RFC 9112 §5.
    private func field() throws(HTTPHeadError.Fault) -> (name: String, value: String) {
        guard !Self.isSpace(line[0]) else { throw .foldedField }
        guard let colon = line.firstIndex(of: ASCII.colon), colon > 0 else {
            throw .malformedFieldName
        }
        guard !Self.isSpace(line[colon - 1]) else { throw .spaceBeforeColon }
        let name = line[..<colon]
        guard name.allSatisfy(ASCII.isTokenByte) else { throw .malformedFieldName }
        var value = line[(colon + 1)...]
        while let first = value.first, Self.isSpace(first) { value.removeFirst() }
        while let last = value.last, Self.isSpace(last) { value.removeLast() }
        return (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == ASCII.space || byte == ASCII.tab
    }
}
