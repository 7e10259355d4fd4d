import BelayWire

/// Collects the content of one request, no more than a limit allows.
struct RequestBody {
    /// A request that is answered with this status, and read no further.
    struct Refusal: Error, Hashable {
        let status: Int
    }

    /// What came so far.
    private(set) var bytes: [UInt8] = []
    private let limit: Int
    private var decoder: HTTPBodyDecoder

    /// The content that follows this head, before its first byte.
    init(of head: HTTPRequestHead, limit: Int) throws(Refusal) {
        self.limit = limit
        let framing: HTTPBodyFraming
        do throws(HTTPFramingError) {
            framing = try HTTPBodyFraming(of: head)
        } catch {
            throw Refusal(status: error == .unsupportedTransferCoding ? 501 : 400)
        }
        // What is announced too long is refused before it is sent.
        if case .length(let count) = framing, count > UInt64(limit) { throw Refusal(status: 413) }
        decoder = HTTPBodyDecoder(framing)
    }

    /// Whether all of it came.
    var isComplete: Bool { decoder.isComplete }

    /// Takes the next bytes; what follows the content is dropped.
    mutating func append(_ next: UnsafeRawBufferPointer) throws(Refusal) {
        do throws(ChunkedError) {
            _ = try decoder.append(next, into: &bytes)
        } catch {
            throw Refusal(status: 400)
        }
        guard bytes.count <= limit else { throw Refusal(status: 413) }
    }
}
