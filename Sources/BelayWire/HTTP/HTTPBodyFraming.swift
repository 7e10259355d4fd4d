/// How the end of a body is known.
///
/// Source: RFC 9112 §6.3.
public enum HTTPBodyFraming: Hashable, Sendable {
    /// There is no body.
    case none
    /// Chunks, the last of them empty.
    case chunked
    /// This many bytes.
    case length(UInt64)
    /// Everything until the connection closes; only a response. A cut cannot be told from an end.
    case untilClose

    /// The framing of a response to a request with this method.
    ///
    /// - Throws: `HTTPFramingError`; the connection is then good for nothing more.
    public init(
        of response: HTTPResponseHead, to method: String
    ) throws(HTTPFramingError) {
        let isConnect = method.utf8.elementsEqual("CONNECT".utf8)
        let isHead = method.utf8.elementsEqual("HEAD".utf8)
        switch response.status {
        case 100..<200, 204, 304:
            self = .none
        case 200..<300 where isConnect:
            self = .none
        case _ where isHead:
            self = .none
        default:
            let stated = try Self.stated(in: response.fields, version: response.version)
            self = stated ?? .untilClose
        }
    }

    /// The framing of a request.
    ///
    /// - Throws: `HTTPFramingError`; answered with 400, or 501 for an unknown coding.
    public init(of request: HTTPRequestHead) throws(HTTPFramingError) {
        self = try Self.stated(in: request.fields, version: request.version) ?? .none
    }

    /// What the fields say, nil if they say nothing.
    private static func stated(
        in fields: HTTPFields, version: HTTPVersion
    ) throws(HTTPFramingError) -> HTTPBodyFraming? {
        let codings = fields.list(of: "Transfer-Encoding")
        let lengths = fields.list(of: "Content-Length")
        let hasLength = !fields.values(of: "Content-Length").isEmpty
        if !fields.values(of: "Transfer-Encoding").isEmpty {
            guard version == .http11 else { throw .transferCodingInOldVersion }
            // One of the two lies, and a proxy may have believed the other.
            guard !hasLength else { throw .lengthBesideTransferCoding }
            guard codings.count == 1, ASCII.equalIgnoringCase(codings[0].utf8, "chunked".utf8)
            else { throw .unsupportedTransferCoding }
            return .chunked
        }
        guard hasLength else { return nil }
        guard let first = lengths.first, let length = number(first) else {
            throw .malformedLength
        }
        // The same number twice is a known fault of proxies and does no harm.
        for other in lengths where number(other) != length { throw .malformedLength }
        return .length(length)
    }

    private static func number(_ text: String) -> UInt64? {
        // UInt64's own reading would take a sign.
        guard text.utf8.allSatisfy(ASCII.isDigit) else { return nil }
        return UInt64(text)
    }
}

/// A body whose end nobody can be sure of.
public enum HTTPFramingError: Error, Hashable, Sendable {
    /// A Content-Length beside a Transfer-Encoding.
    case lengthBesideTransferCoding
    /// A Content-Length that is no number of 64 bits, or two that differ.
    case malformedLength
    /// A Transfer-Encoding in HTTP/1.0.
    case transferCodingInOldVersion
    /// A transfer coding other than `chunked` alone.
    case unsupportedTransferCoding
}
