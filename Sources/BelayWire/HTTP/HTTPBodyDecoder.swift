/// Takes a body out of its framing, and knows whether all of it came.
public struct HTTPBodyDecoder: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        case chunked(ChunkedDecoder)
        /// With this many bytes to come; 0 once the body is complete.
        case length(UInt64)
        case untilClose
    }

    private var state: State

    /// A decoder at the start of a body framed like this.
    public init(_ framing: HTTPBodyFraming) {
        switch framing {
        case .none: state = .length(0)
        case .chunked: state = .chunked(ChunkedDecoder())
        case .length(let count): state = .length(count)
        case .untilClose: state = .untilClose
        }
    }

    /// Whether the body has ended by its own framing.
    ///
    /// Never with `untilClose`.
    public var isComplete: Bool {
        switch state {
        case .chunked(let decoder): decoder.isComplete
        case .length(let missing): missing == 0
        case .untilClose: false
        }
    }

    /// Whether a connection that closes now has cut the body.
    public var isCutByClose: Bool {
        switch state {
        case .chunked, .length: !isComplete
        case .untilClose: false
        }
    }

    /// Takes bytes and appends the body among them to `body`; answers how many it took.
    ///
    /// It takes all, but for what follows the end of the body.
    /// - Throws: `ChunkedError` where the framing is `chunked`.
    public mutating func append(
        _ bytes: UnsafeRawBufferPointer, into body: inout [UInt8]
    ) throws(ChunkedError) -> Int {
        switch state {
        case .chunked(var decoder):
            // Also after an error: the decoder remembers it.
            defer { state = .chunked(decoder) }
            return try decoder.append(bytes, into: &body)
        case .length(let missing):
            let count = Int(min(missing, UInt64(bytes.count)))
            body.append(contentsOf: bytes.part(0..<count))
            state = .length(missing - UInt64(count))
            return count
        case .untilClose:
            body.append(contentsOf: bytes)
            return bytes.count
        }
    }

    /// Takes bytes, as the call with a buffer does.
    public mutating func append(
        _ bytes: [UInt8], into body: inout [UInt8]
    ) throws(ChunkedError) -> Int {
        try bytes.withUnsafeBufferPointer { (buffer) throws(ChunkedError) -> Int in
            try append(UnsafeRawBufferPointer(buffer), into: &body)
        }
    }
}
