/// The opening handshake: one request and one response that turn HTTP into a WebSocket.
///
/// A client makes a `Request` and lets it `check` the response; a server makes an `Offer` of the
/// request and answers with `response`. Source: RFC 6455 §4.
public enum OpeningHandshake {
    /// The only version of the protocol.
    ///
    /// Source: RFC 6455 §4.1.
    public static let version = "13"

    /// The value of `Sec-WebSocket-Accept` that answers this `Sec-WebSocket-Key`.
    ///
    /// It shows that the peer read a WebSocket request, and is no secret. Source: RFC 6455 §4.2.2.
    public static func accept(forKey key: String) -> String {
        Base64.encode(SHA1.digest(of: Array(key.utf8) + Array(acceptSuffix.utf8)))
    }

    /// What both sides agreed on.
    public struct Agreement: Hashable, Sendable {
        /// The subprotocol that the server chose, nil if none.
        public var subprotocol: String?

        /// The extensions that the server answered, by name all of them offered.
        ///
        /// Whether their parameters answer the offer is for the extension to judge.
        public var extensions: [WebSocketExtension]

        /// An agreement with both parts given.
        public init(subprotocol: String? = nil, extensions: [WebSocketExtension] = []) {
            self.subprotocol = subprotocol
            self.extensions = extensions
        }
    }

    private static let acceptSuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
}
