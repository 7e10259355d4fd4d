/// Takes a body out of its chunks, however they are cut.
///
/// Source: RFC 9112 §7.1.
///
/// Chunk extensions and trailer fields are passed over, within `maximumLineBytes` and
/// `maximumTrailerBytes`.
public struct ChunkedDecoder: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        /// In the hexadecimal size. Leaves by `;`, a space or CR.
        case size(digits: Int)
        /// Behind the size, where extensions may stand. Leaves by CR.
        case extensions
        /// Behind the CR of the size line.
        case sizeLineFeed
        /// In the data, with this many bytes to come.
        case data(UInt64)
        /// Behind the data.
        case dataCarriageReturn
        /// Behind the CR behind the data.
        case dataLineFeed
        /// In a trailer line with this many bytes so far. An empty line ends the body.
        case trailer(lineBytes: Int)
        /// Behind the CR of a trailer line.
        case trailerLineFeed(isEmptyLine: Bool)
        /// The last chunk and the trailer have been read.
        case complete
        case failed(ChunkedError)
    }

    /// The longest size line, in bytes.
    ///
    /// 256: a size has 16 at most, the rest is extensions that nobody reads.
    public static let maximumLineBytes = 256

    /// The longest trailer, in bytes over all lines.
    ///
    /// 16 KiB: it is read to be thrown away.
    public static let maximumTrailerBytes = 16 << 10

    private var state: State = .size(digits: 0)
    private var chunkBytes: UInt64 = 0

    /// Bytes of the size line or of the trailer at hand.
    private var overheadBytes = 0
    private var offset: UInt64 = 0

    /// A decoder at the start of a body.
    public init() {}

    /// Whether the body has ended.
    ///
    /// A connection that ends before that was cut.
    public var isComplete: Bool { state == .complete }

    /// Takes bytes and appends the data among them to `body`; answers how many it took.
    ///
    /// It takes all, but for what follows the end of the body.
    /// - Throws: `ChunkedError`. The data before it is in `body`; every later call throws it too.
    public mutating func append(
        _ bytes: UnsafeRawBufferPointer, into body: inout [UInt8]
    ) throws(ChunkedError) -> Int {
        if case .failed(let error) = state { throw error }
        var index = 0
        while index < bytes.count, state != .complete {
            if case .data(let missing) = state {
                let count = Int(min(missing, UInt64(bytes.count - index)))
                body.append(contentsOf: bytes.part(index..<(index + count)))
                index += count
                offset += UInt64(count)
                let rest = missing - UInt64(count)
                state = rest == 0 ? .dataCarriageReturn : .data(rest)
                continue
            }
            do throws(ChunkedError.Fault) {
                try step(bytes[index])
            } catch {
                let error = ChunkedError(error, offset: offset)
                state = .failed(error)
                throw error
            }
            index += 1
            offset += 1
        }
        return index
    }

    /// Takes bytes, as the call with a buffer does.
    public mutating func append(
        _ bytes: [UInt8], into body: inout [UInt8]
    ) throws(ChunkedError) -> Int {
        try bytes.withUnsafeBufferPointer { (buffer) throws(ChunkedError) -> Int in
            try append(UnsafeRawBufferPointer(buffer), into: &body)
        }
    }

    /// Everything but data, byte by byte: there is little of it.
    private mutating func step(_ byte: UInt8) throws(ChunkedError.Fault) {
        switch state {
        case .size(let digits):
            try countOverhead(Self.maximumLineBytes)
            try stepSize(byte, digits: digits)
        case .extensions:
            try countOverhead(Self.maximumLineBytes)
            if byte == ASCII.carriageReturn { state = .sizeLineFeed }
        case .sizeLineFeed:
            guard byte == ASCII.lineFeed else { throw .malformedLineEnd }
            overheadBytes = 0
            state = chunkBytes == 0 ? .trailer(lineBytes: 0) : .data(chunkBytes)
        case .dataCarriageReturn:
            guard byte == ASCII.carriageReturn else { throw .malformedLineEnd }
            state = .dataLineFeed
        case .dataLineFeed:
            guard byte == ASCII.lineFeed else { throw .malformedLineEnd }
            chunkBytes = 0
            state = .size(digits: 0)
        case .trailer(let lineBytes):
            try countOverhead(Self.maximumTrailerBytes)
            state =
                byte == ASCII.carriageReturn
                ? .trailerLineFeed(isEmptyLine: lineBytes == 0)
                : .trailer(lineBytes: lineBytes + 1)
        case .trailerLineFeed(let isEmptyLine):
            guard byte == ASCII.lineFeed else { throw .malformedLineEnd }
            state = isEmptyLine ? .complete : .trailer(lineBytes: 0)
        case .data, .complete, .failed:
            return  // Handled by `append`, which does not come here with them.
        }
    }

    private mutating func stepSize(_ byte: UInt8, digits: Int) throws(ChunkedError.Fault) {
        if let digit = ASCII.hexadecimalValue(byte) {
            guard chunkBytes >> 60 == 0 else { throw .sizeTooLarge }
            chunkBytes = chunkBytes << 4 | UInt64(digit)
            state = .size(digits: digits + 1)
            return
        }
        guard digits > 0 else { throw .malformedSize }
        switch byte {
        case ASCII.carriageReturn: state = .sizeLineFeed
        case ASCII.semicolon, ASCII.space, ASCII.tab: state = .extensions
        default: throw .malformedSize
        }
    }

    private mutating func countOverhead(_ maximum: Int) throws(ChunkedError.Fault) {
        overheadBytes += 1
        guard overheadBytes <= maximum else { throw .overheadTooLong(maximum: maximum) }
    }
}

/// A chunked body that cannot be read: what is wrong, and where.
public struct ChunkedError: Error, Hashable, Sendable {
    /// What is wrong with the byte.
    public enum Fault: Error, Hashable, Sendable {
        /// A size that does not begin with a hexadecimal digit, or goes on with something else.
        case malformedSize
        /// A size over 64 bits.
        case sizeTooLarge
        /// Something else than CRLF where a line ends.
        case malformedLineEnd
        /// A size line or a trailer over its limit, in bytes.
        case overheadTooLong(maximum: Int)
    }

    /// What is wrong.
    public let fault: Fault

    /// The byte at fault, counted from the start of the body with all its framing.
    public let offset: UInt64

    /// An error with both parts given.
    public init(_ fault: Fault, offset: UInt64) {
        self.fault = fault
        self.offset = offset
    }
}
