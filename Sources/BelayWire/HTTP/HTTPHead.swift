/// The version of HTTP that a head speaks.
///
/// Heads of any other are refused.
public enum HTTPVersion: Hashable, Sendable {
    /// HTTP/1.0: no chunks, no upgrade.
    case http10
    /// HTTP/1.1, and every higher 1.x, which is to be taken for it.
    case http11

    /// As it stands in a start line.
    var text: StaticString {
        switch self {
        case .http10: "HTTP/1.0"
        case .http11: "HTTP/1.1"
        }
    }

    /// Source: RFC 9112 §2.3, RFC 9110 §2.5.
    init?(_ text: UnsafeRawBufferPointer) {
        guard text.count == 8, text.starts(with: "HTTP/1."), ASCII.isDigit(text[7]) else {
            return nil
        }
        self = text[7] == UInt8(ascii: "0") ? .http10 : .http11
    }
}

/// What a head of either kind is to the parser: a start line and fields.
public protocol HTTPHead: Sendable {
    /// The fields below the start line.
    var fields: HTTPFields { get set }

    /// A head with this start line and no fields yet.
    init(startLine: UnsafeRawBufferPointer) throws(HTTPHeadError.Fault)

    /// Whether empty lines before the head are passed over (RFC 9112 §2.2: requests only).
    static var mayFollowEmptyLines: Bool { get }
}

/// The head of a request.
///
/// Source: RFC 9112 §3.
public struct HTTPRequestHead: HTTPHead, Hashable {
    /// The method, in its own case: `GET`.
    public var method: String

    /// The request target as it travels, still percent-encoded: `/events?cut=1`.
    public var target: String

    /// The version of HTTP.
    public var version: HTTPVersion

    /// The fields in their order.
    public var fields: HTTPFields

    /// Some clients end a body with a CRLF that nobody counted.
    public static var mayFollowEmptyLines: Bool { true }

    /// A head with every part given.
    public init(
        method: String, target: String, fields: HTTPFields = HTTPFields(),
        version: HTTPVersion = .http11
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.version = version
    }

    /// The head that this request line begins.
    public init(startLine: UnsafeRawBufferPointer) throws(HTTPHeadError.Fault) {
        let parts = startLine.split(
            separator: ASCII.space, maxSplits: 2, omittingEmptySubsequences: false
        ).map { UnsafeRawBufferPointer(rebasing: $0) }
        guard parts.count == 3 else { throw .malformedStartLine }
        guard !parts[0].isEmpty, parts[0].allSatisfy(ASCII.isTokenByte),
            !parts[1].isEmpty, parts[1].allSatisfy(HTTPHeadEncoding.isTargetByte)
        else { throw .malformedStartLine }
        guard let version = HTTPVersion(parts[2]) else { throw .unsupportedVersion }
        self.init(method: parts[0].text, target: parts[1].text, version: version)
    }

    /// Appends the head with its empty line.
    ///
    /// - Throws: `HTTPEncodingError` for what would end its line; then nothing is appended.
    public func encode(into bytes: inout [UInt8]) throws(HTTPEncodingError) {
        guard !method.utf8.isEmpty, method.utf8.allSatisfy(ASCII.isTokenByte) else {
            throw .method(method)
        }
        guard !target.utf8.isEmpty, target.utf8.allSatisfy(HTTPHeadEncoding.isTargetByte) else {
            throw .target
        }
        try HTTPHeadEncoding.check(fields)
        bytes.append(contentsOf: method.utf8)
        bytes.append(ASCII.space)
        bytes.append(contentsOf: target.utf8)
        bytes.append(ASCII.space)
        HTTPHeadEncoding.append(version.text, to: &bytes)
        HTTPHeadEncoding.append(fields, to: &bytes)
    }
}

/// The head of a response.
///
/// Source: RFC 9112 §4.
public struct HTTPResponseHead: HTTPHead, Hashable {
    /// The status code, 100 to 999.
    public var status: Int

    /// The reason phrase, for people; may be empty.
    public var reason: String

    /// The version of HTTP.
    public var version: HTTPVersion

    /// The fields in their order.
    public var fields: HTTPFields

    /// A client that let empty lines pass could be led to another response.
    public static var mayFollowEmptyLines: Bool { false }

    /// A head with every part given.
    public init(
        status: Int, reason: String, fields: HTTPFields = HTTPFields(),
        version: HTTPVersion = .http11
    ) {
        self.status = status
        self.reason = reason
        self.fields = fields
        self.version = version
    }

    /// The head that this status line begins.
    ///
    /// The reason phrase may be missing.
    public init(startLine: UnsafeRawBufferPointer) throws(HTTPHeadError.Fault) {
        let parts = startLine.split(
            separator: ASCII.space, maxSplits: 2, omittingEmptySubsequences: false
        ).map { UnsafeRawBufferPointer(rebasing: $0) }
        guard parts.count >= 2, parts[1].count == 3, parts[1].allSatisfy(ASCII.isDigit) else {
            throw .malformedStartLine
        }
        guard let version = HTTPVersion(parts[0]) else { throw .unsupportedVersion }
        let status = parts[1].reduce(0) { $0 * 10 + Int($1 &- 0x30) }
        guard status >= 100 else { throw .malformedStartLine }
        self.init(
            status: status, reason: parts.count == 3 ? parts[2].text : "", version: version)
    }

    /// Appends the head with its empty line.
    ///
    /// - Throws: `HTTPEncodingError` for what would end its line; then nothing is appended.
    public func encode(into bytes: inout [UInt8]) throws(HTTPEncodingError) {
        guard (100...999).contains(status) else { throw .status(status) }
        guard reason.utf8.allSatisfy(HTTPHeadEncoding.isValueByte) else { throw .reason }
        try HTTPHeadEncoding.check(fields)
        HTTPHeadEncoding.append(version.text, to: &bytes)
        bytes.append(ASCII.space)
        bytes.append(contentsOf: String(status).utf8)
        bytes.append(ASCII.space)
        bytes.append(contentsOf: reason.utf8)
        HTTPHeadEncoding.append(fields, to: &bytes)
    }
}
