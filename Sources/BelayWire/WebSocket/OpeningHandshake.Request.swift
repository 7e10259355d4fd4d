extension OpeningHandshake {
    /// The client's side: the request it makes, and its judgement of the response.
    ///
    /// Source: RFC 6455 §4.1.
    public struct Request: Sendable {
        /// The value of `Sec-WebSocket-Key`.
        public let key: String

        /// The subprotocols offered, the most wanted first.
        public let subprotocols: [String]

        /// The extensions offered, the most wanted first.
        public let extensions: [WebSocketExtension]

        /// The request, with every field of the handshake.
        public let head: HTTPRequestHead

        /// The bytes of chance that a key is made of.
        public static let nonceBytes = 16

        /// A request for the resource `target` at `host`.
        ///
        /// - Parameters:
        ///   - nonce: `nonceBytes` fresh bytes of chance; another number is a bug and traps.
        ///   - host: The host with its port, where that is not the scheme's own.
        ///   - fields: Further fields, like `Authorization`. Those of the handshake are left out.
        public init(
            nonce: [UInt8], target: String, host: String, subprotocols: [String] = [],
            extensions: [WebSocketExtension] = [], fields: HTTPFields = HTTPFields()
        ) {
            precondition(nonce.count == Self.nonceBytes, "the nonce must have 16 bytes")
            key = Base64.encode(nonce)
            self.subprotocols = subprotocols
            self.extensions = extensions
            var all: HTTPFields = [
                "Host": host, "Upgrade": "websocket", "Connection": "Upgrade",
                "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": OpeningHandshake.version,
            ]
            if !subprotocols.isEmpty {
                all.append("Sec-WebSocket-Protocol", subprotocols.joined(separator: ", "))
            }
            if !extensions.isEmpty {
                let texts = extensions.map { $0.text }
                all.append("Sec-WebSocket-Extensions", texts.joined(separator: ", "))
            }
            for field in fields.all where !Self.isOwn(field.name) {
                all.append(field.name, field.value)
            }
            head = HTTPRequestHead(method: "GET", target: target, fields: all)
        }

        /// Judges the response; what follows its head are frames.
        ///
        /// - Throws: `ResponseFault`; the connection is then to be dropped.
        public func check(_ response: HTTPResponseHead) throws(ResponseFault) -> Agreement {
            guard response.status == 101 else { throw .status(response.status) }
            guard response.version == .http11 else { throw .version }
            let fields = response.fields
            guard fields.list(of: "Upgrade", contains: "websocket") else { throw .upgradeMissing }
            guard fields.list(of: "Connection", contains: "upgrade") else {
                throw .connectionMissing
            }
            let accepts = fields.values(of: "Sec-WebSocket-Accept")
            guard let accept = accepts.first else { throw .acceptMissing }
            guard accepts.count == 1 else { throw .acceptRepeated }
            guard accept.utf8.elementsEqual(OpeningHandshake.accept(forKey: key).utf8) else {
                throw .acceptWrong
            }
            return Agreement(
                subprotocol: try subprotocol(in: fields), extensions: try extensions(in: fields))
        }

        private func subprotocol(in fields: HTTPFields) throws(ResponseFault) -> String? {
            let chosen = fields.values(of: "Sec-WebSocket-Protocol")
            guard let first = chosen.first else { return nil }
            guard chosen.count == 1 else { throw .subprotocolRepeated }
            // With case, unlike field names: a subprotocol is an identifier of the application.
            guard subprotocols.contains(where: { $0.utf8.elementsEqual(first.utf8) }) else {
                throw .subprotocolNotOffered(first)
            }
            return first
        }

        private func extensions(
            in fields: HTTPFields
        ) throws(ResponseFault) -> [WebSocketExtension] {
            guard let answered = WebSocketExtension.list(in: fields) else {
                throw .extensionsMalformed
            }
            for answer in answered {
                let isOffered = extensions.contains { offer in
                    ASCII.equalIgnoringCase(offer.name.utf8, answer.name.utf8)
                }
                guard isOffered else { throw .extensionNotOffered(answer.name) }
            }
            return answered
        }

        private static func isOwn(_ name: String) -> Bool {
            let own = [
                "Host", "Upgrade", "Connection", "Sec-WebSocket-Key", "Sec-WebSocket-Version",
                "Sec-WebSocket-Protocol", "Sec-WebSocket-Extensions",
            ]
            return own.contains { ASCII.equalIgnoringCase($0.utf8, name.utf8) }
        }
    }

    /// A response that opens no WebSocket, in the order in which it is judged.
    public enum ResponseFault: Error, Hashable, Sendable {
        /// The status is not 101.
        case status(Int)
        /// The response is not HTTP/1.1.
        case version
        /// `Upgrade` does not name `websocket`.
        case upgradeMissing
        /// `Connection` does not name `Upgrade`.
        case connectionMissing
        /// There is no `Sec-WebSocket-Accept`.
        case acceptMissing
        /// `Sec-WebSocket-Accept` comes more than once.
        case acceptRepeated
        /// `Sec-WebSocket-Accept` answers another key.
        case acceptWrong
        /// `Sec-WebSocket-Protocol` comes more than once.
        case subprotocolRepeated
        /// The server chose a subprotocol that was not offered.
        case subprotocolNotOffered(String)
        /// `Sec-WebSocket-Extensions` cannot be read.
        case extensionsMalformed
        /// The server answered an extension that was not offered.
        case extensionNotOffered(String)
        /// The server's answer to permessage-deflate is at fault.
        case compressionMalformed(PermessageDeflate.Fault)
    }
}
