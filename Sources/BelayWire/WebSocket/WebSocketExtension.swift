/// An extension as one side names it in the opening handshake, with its parameters.
///
/// `permessage-deflate; server_max_window_bits=10`. Source: RFC 6455 §9.1.
public struct WebSocketExtension: Hashable, Sendable {
    /// A parameter: a name, and a value if it has one.
    public struct Parameter: Hashable, Sendable {
        /// The name in its own case.
        public var name: String
        /// The value without quotes, nil where only the name stands.
        public var value: String?

        /// A parameter with both parts given.
        public init(name: String, value: String? = nil) {
            self.name = name
            self.value = value
        }
    }

    /// The name of the extension, a token.
    public var name: String

    /// The parameters in their order; the same name may come twice, which most extensions refuse.
    public var parameters: [Parameter]

    /// An extension with both parts given.
    public init(name: String, parameters: [Parameter] = []) {
        self.name = name
        self.parameters = parameters
    }

    /// As it stands in a field value.
    public var text: String {
        var text = name
        for parameter in parameters {
            text += "; " + parameter.name
            if let value = parameter.value { text += "=" + value }
        }
        return text
    }

    /// The extensions in the values of every `Sec-WebSocket-Extensions` field, nil if malformed.
    ///
    /// Linear in the length. Empty members of the list are passed over, as for every list.
    static func list(in fields: HTTPFields) -> [WebSocketExtension]? {
        var extensions: [WebSocketExtension] = []
        for value in fields.values(of: "Sec-WebSocket-Extensions") {
            var scanner = Scanner(bytes: Array(value.utf8))
            while true {
                while scanner.skip(ASCII.comma) {}
                if scanner.isAtEnd { break }
                guard let next = scanner.extension() else { return nil }
                extensions.append(next)
                guard scanner.isAtEnd || scanner.skip(ASCII.comma) else { return nil }
            }
        }
        return extensions
    }

    /// A position in a field value; spaces are passed over after each part.
    private struct Scanner {
        let bytes: [UInt8]
        var index = 0

        init(bytes: [UInt8]) {
            self.bytes = bytes
            skipSpace()
        }

        var isAtEnd: Bool { index == bytes.count }

        mutating func skip(_ byte: UInt8) -> Bool {
            guard index < bytes.count, bytes[index] == byte else { return false }
            index += 1
            skipSpace()
            return true
        }

        mutating func `extension`() -> WebSocketExtension? {
            guard let name = token() else { return nil }
            var found = WebSocketExtension(name: name)
            while skip(ASCII.semicolon) {
                guard let name = token() else { return nil }
                var parameter = Parameter(name: name)
                if skip(ASCII.equals) {
                    guard let value = token() ?? quoted() else { return nil }
                    parameter.value = value
                }
                found.parameters.append(parameter)
            }
            return found
        }

        private mutating func token() -> String? {
            let start = index
            while index < bytes.count, ASCII.isTokenByte(bytes[index]) { index += 1 }
            guard index > start else { return nil }
            defer { skipSpace() }
            return String(decoding: bytes[start..<index], as: UTF8.self)
        }

        /// A quoted value, which after unquoting must be a token (§9.1).
        private mutating func quoted() -> String? {
            guard index < bytes.count, bytes[index] == ASCII.doubleQuote else { return nil }
            index += 1
            var value: [UInt8] = []
            while index < bytes.count, bytes[index] != ASCII.doubleQuote {
                if bytes[index] == ASCII.backslash { index += 1 }
                guard index < bytes.count, ASCII.isTokenByte(bytes[index]) else { return nil }
                value.append(bytes[index])
                index += 1
            }
            guard index < bytes.count, !value.isEmpty else { return nil }
            index += 1
            skipSpace()
            return String(decoding: value, as: UTF8.self)
        }

        private mutating func skipSpace() {
            while index < bytes.count, bytes[index] == ASCII.space || bytes[index] == ASCII.tab {
                index += 1
            }
        }
    }
}
