extension OpeningHandshake {
    /// The server's side: a request that was found to be a WebSocket request, and its answer.
    ///
    /// Source: RFC 6455 §4.2.
    public struct Offer: Hashable, Sendable {
        /// The value of `Sec-WebSocket-Key`.
        public let key: String

        /// The subprotocols that the client speaks, the most wanted first.
        public let subprotocols: [String]

        /// The extensions that the client offers, the most wanted first.
        public let extensions: [WebSocketExtension]

        /// Judges a request.
        ///
        /// - Throws: `Refusal`, which holds the response to send.
        public init(_ request: HTTPRequestHead) throws(Refusal) {
            guard request.method.utf8.elementsEqual("GET".utf8) else {
                throw Refusal(.methodNotGet)
            }
            guard request.version == .http11 else { throw Refusal(.version) }
            let fields = request.fields
            guard fields.list(of: "Upgrade", contains: "websocket"),
                fields.list(of: "Connection", contains: "upgrade")
            else { throw Refusal(.notAnUpgrade) }
            guard fields.values(of: "Host").count == 1 else { throw Refusal(.hostMissing) }
            let versions = fields.values(of: "Sec-WebSocket-Version")
            guard versions.count == 1,
                versions[0].utf8.elementsEqual(OpeningHandshake.version.utf8)
            else { throw Refusal(.webSocketVersion) }
            let keys = fields.values(of: "Sec-WebSocket-Key")
            guard keys.count == 1, Base64.isSixteenBytes(keys[0]) else {
                throw Refusal(.keyMalformed)
            }
            guard let extensions = WebSocketExtension.list(in: fields) else {
                throw Refusal(.extensionsMalformed)
            }
            key = keys[0]
            subprotocols = fields.list(of: "Sec-WebSocket-Protocol")
            self.extensions = extensions
        }

        /// The subprotocol that the client wants most among those the server speaks, nil if none.
        public func subprotocol(among spoken: [String]) -> String? {
            subprotocols.first { offered in
                spoken.contains { $0.utf8.elementsEqual(offered.utf8) }
            }
        }

        /// The response that opens the WebSocket.
        ///
        /// What follows its head are frames.
        ///
        /// It says what it is given, also what was not offered: a client must refuse that.
        public func response(_ agreement: Agreement = Agreement()) -> HTTPResponseHead {
            var fields: HTTPFields = [
                "Upgrade": "websocket", "Connection": "Upgrade",
                "Sec-WebSocket-Accept": OpeningHandshake.accept(forKey: key),
            ]
            if let subprotocol = agreement.subprotocol {
                fields.append("Sec-WebSocket-Protocol", subprotocol)
            }
            if !agreement.extensions.isEmpty {
                let texts = agreement.extensions.map { $0.text }
                fields.append("Sec-WebSocket-Extensions", texts.joined(separator: ", "))
            }
            return HTTPResponseHead(status: 101, reason: "Switching Protocols", fields: fields)
        }
    }

    /// A request that opens no WebSocket: why, and what to answer.
    public struct Refusal: Error, Hashable, Sendable {
        /// Why a request is refused, in the order in which it is judged.
        public enum Cause: Hashable, Sendable {
            /// The method is not `GET`: 405.
            case methodNotGet
            /// The request is not HTTP/1.1: 400.
            case version
            /// `Upgrade` or `Connection` asks for no WebSocket: 426.
            case notAnUpgrade
            /// `Host` is missing or comes more than once: 400.
            case hostMissing
            /// `Sec-WebSocket-Version` is not 13, once: 426.
            case webSocketVersion
            /// `Sec-WebSocket-Key` is not 16 bytes in Base64, once: 400.
            case keyMalformed
            /// `Sec-WebSocket-Extensions` cannot be read: 400.
            case extensionsMalformed
        }

        /// Why it was refused.
        public let cause: Cause

        /// A refusal for this cause.
        public init(_ cause: Cause) {
            self.cause = cause
        }

        /// The response to send, without a body.
        public var response: HTTPResponseHead {
            var fields: HTTPFields = ["Content-Length": "0"]
            switch cause {
            case .methodNotGet:
                fields.append("Allow", "GET")
                return HTTPResponseHead(
                    status: 405, reason: "Method Not Allowed", fields: fields)
            case .notAnUpgrade, .webSocketVersion:
                fields.append("Upgrade", "websocket")
                fields.append("Connection", "Upgrade")
                fields.append("Sec-WebSocket-Version", OpeningHandshake.version)
                return HTTPResponseHead(status: 426, reason: "Upgrade Required", fields: fields)
            case .version, .hostMissing, .keyMalformed, .extensionsMalformed:
                return HTTPResponseHead(status: 400, reason: "Bad Request", fields: fields)
            }
        }
    }
}
