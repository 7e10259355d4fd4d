/// An HTTP method whose response can be an event stream.
///
/// `GET` is the standard's; `POST` and `REPORT` are what assistants and queries use, with a body.
/// Source: RFC 9110 §9.1.
public struct RequestMethod: Hashable, Sendable {
    /// Asks for the stream at the address. The default.
    public static let get = RequestMethod(known: "GET")
    /// Sends a body, such as a question, whose answer is the stream.
    public static let post = RequestMethod(known: "POST")
    /// Sends a body that says which report is wanted. Source: RFC 3253 §3.6.
    public static let report = RequestMethod(known: "REPORT")

    /// The method as it stands in the request line; methods differ by case.
    public let name: String

    /// Why a method cannot ask for an event stream.
    public enum Invalid: Error, Hashable {
        /// It is empty or holds a byte that no token has; its offset in UTF-8.
        case name(offset: Int)
        /// Its response has no content that could be a stream: `CONNECT`, `HEAD` or `TRACE`.
        case withoutStream
    }

    /// Another method, such as `QUERY`.
    public init(_ name: String) throws(Invalid) {
        for (offset, byte) in name.utf8.enumerated() where !byte.isTokenByte {
            throw .name(offset: offset)
        }
        guard !name.isEmpty else { throw .name(offset: 0) }
        guard !["CONNECT", "HEAD", "TRACE"].contains(name) else { throw .withoutStream }
        self.name = name
    }

    private init(known name: String) {
        self.name = name
    }
}
