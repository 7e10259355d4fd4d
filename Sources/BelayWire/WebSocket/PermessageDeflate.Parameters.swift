extension PermessageDeflate {
    /// The four parameters, as an offer or an answer names them. Source: RFC 7692 §7.1.
    public struct Parameters: Hashable, Sendable {
        /// What is said about the client's window.
        public enum ClientWindow: Hashable, Sendable {
            /// Nothing: an answer must not set it.
            case unnamed
            /// In an offer: the answer may set it.
            case any
            /// At most so many bits.
            case atMost(Int)
        }

        /// `server_no_context_takeover`.
        public var serverTakeover: ContextTakeover

        /// `client_no_context_takeover`.
        public var clientTakeover: ContextTakeover

        /// `server_max_window_bits`, nil where it is not named.
        public var serverWindowBits: Int?

        /// `client_max_window_bits`.
        public var clientWindow: ClientWindow

        /// Parameters; by default none is named.
        public init(
            serverTakeover: ContextTakeover = .allowed, clientTakeover: ContextTakeover = .allowed,
            serverWindowBits: Int? = nil, clientWindow: ClientWindow = .unnamed
        ) {
            self.serverTakeover = serverTakeover
            self.clientTakeover = clientTakeover
            self.serverWindowBits = serverWindowBits
            self.clientWindow = clientWindow
        }

        /// The parameters of an extension as it was read from a field.
        public init(_ named: WebSocketExtension) throws(Fault) {
            self.init()
            var seen: [Name] = []
            for parameter in named.parameters {
                guard let name = Name(parameter.name) else {
                    throw .unknownParameter(parameter.name)
                }
                guard !seen.contains(name) else { throw .repeatedParameter(name.text) }
                seen.append(name)
                try take(name, parameter.value)
            }
        }

        /// As the field names it.
        public var named: WebSocketExtension {
            var parameters: [WebSocketExtension.Parameter] = []
            func add(_ name: Name, _ value: Int? = nil) {
                parameters.append(.init(name: name.text, value: value.map { String($0) }))
            }
            if serverTakeover == .none { add(.serverTakeover) }
            if clientTakeover == .none { add(.clientTakeover) }
            if let serverWindowBits { add(.serverWindow, serverWindowBits) }
            switch clientWindow {
            case .unnamed: break
            case .any: add(.clientWindow)
            case .atMost(let bits): add(.clientWindow, bits)
            }
            return WebSocketExtension(name: PermessageDeflate.name, parameters: parameters)
        }

        private mutating func take(_ name: Name, _ value: String?) throws(Fault) {
            switch name {
            case .serverTakeover:
                guard value == nil else { throw .valueNotAllowed(name.text) }
                serverTakeover = .none
            case .clientTakeover:
                guard value == nil else { throw .valueNotAllowed(name.text) }
                clientTakeover = .none
            case .serverWindow:
                guard let value else { throw .valueMissing(name.text) }
                serverWindowBits = try Self.bits(value, of: name)
            case .clientWindow:
                guard let value else { return clientWindow = .any }
                clientWindow = .atMost(try Self.bits(value, of: name))
            }
        }

        private static func bits(_ value: String, of name: Name) throws(Fault) -> Int {
            for bits in PermessageDeflate.windowRange
            where value.utf8.elementsEqual(String(bits).utf8) { return bits }
            throw .windowMalformed(name.text, value: value)
        }
    }
}

extension PermessageDeflate.Parameters {
    /// The names as the RFC writes them.
    enum Name: CaseIterable {
        case serverTakeover, clientTakeover, serverWindow, clientWindow

        init?(_ text: String) {
            for name in Self.allCases where name.text.utf8.elementsEqual(text.utf8) {
                self = name
                return
            }
            return nil
        }

        var text: String {
            switch self {
            case .serverTakeover: "server_no_context_takeover"
            case .clientTakeover: "client_no_context_takeover"
            case .serverWindow: "server_max_window_bits"
            case .clientWindow: "client_max_window_bits"
            }
        }
    }

    /// What an answer to this offer agrees on.
    ///
    /// - Parameter extensions: Every extension of the answer.
    /// - Returns: nil if the answer does not name this extension: nothing is compressed.
    /// - Throws: `Fault`; the client must then fail the connection (RFC 7692 §5.1).
    public func agreement(
        answeredBy extensions: [WebSocketExtension]
    ) throws(PermessageDeflate.Fault) -> PermessageDeflate? {
        let members = PermessageDeflate.members(of: extensions)
        guard let member = members.first else { return nil }
        guard members.count == 1 else { throw .answeredTwice }
        let answer = try Self(member)
        if serverTakeover == .none, answer.serverTakeover == .allowed {
            throw .notAnswered(Name.serverTakeover.text)
        }
        if let offered = serverWindowBits {
            guard let bits = answer.serverWindowBits else {
                throw .notAnswered(Name.serverWindow.text)
            }
            guard bits <= offered else {
                throw .windowTooLong(Name.serverWindow.text, offered: offered)
            }
        }
        return PermessageDeflate(
            server: PermessageDeflate.Sender(
                windowBits: answer.serverWindowBits ?? PermessageDeflate.longestWindow,
                takeover: answer.serverTakeover),
            client: PermessageDeflate.Sender(
                windowBits: try clientBits(answer.clientWindow),
                // What we offered not to do we do not, whatever the answer says of it.
                takeover: clientTakeover == .none ? .none : answer.clientTakeover))
    }

    private func clientBits(
        _ answered: ClientWindow
    ) throws(PermessageDeflate.Fault) -> Int {
        switch (clientWindow, answered) {
        case (.unnamed, .unnamed), (.any, .unnamed): return PermessageDeflate.longestWindow
        case (.atMost(let offered), .unnamed): return offered
        case (_, .any): throw .valueMissing(Name.clientWindow.text)
        case (.unnamed, .atMost): throw .notOffered(Name.clientWindow.text)
        case (.any, .atMost(let bits)): return bits
        case (.atMost(let offered), .atMost(let bits)):
            guard bits <= offered else {
                throw .windowTooLong(Name.clientWindow.text, offered: offered)
            }
            return bits
        }
    }
}
