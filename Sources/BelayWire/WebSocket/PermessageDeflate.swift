/// What both sides agreed on about compressing messages: how each of them compresses.
///
/// A client offers by its `Policy`, a server answers by its own, and the client judges the answer.
/// Source: RFC 7692 §7.
public struct PermessageDeflate: Hashable, Sendable {
    /// Whether a message may refer back to those before it.
    public enum ContextTakeover: Hashable, Sendable {
        /// It may: better compression, for a window that both sides keep between messages.
        case allowed
        /// Each message stands alone, and nothing is kept between messages.
        case none
    }

    /// How one side compresses what it sends.
    public struct Sender: Hashable, Sendable {
        /// The binary logarithm of the longest window in bytes, 8 to 15.
        public var windowBits: Int

        /// Whether the window outlives a message.
        public var takeover: ContextTakeover

        /// By default what a side does that agreed on nothing: the longest window, and kept.
        public init(
            windowBits: Int = PermessageDeflate.longestWindow,
            takeover: ContextTakeover = .allowed
        ) {
            self.windowBits = windowBits
            self.takeover = takeover
        }
    }

    /// What the server sends.
    public var server: Sender

    /// What the client sends.
    public var client: Sender

    /// An agreement; by default the one without parameters.
    public init(server: Sender = Sender(), client: Sender = Sender()) {
        self.server = server
        self.client = client
    }

    /// The name of the extension.
    public static let name = "permessage-deflate"

    /// The windows that there are, by their binary logarithm.
    public static let windowRange = 8...15

    /// The window of a side that agreed on none.
    public static let longestWindow = 15

    /// Those of `extensions` that bear the name, in their order.
    static func members(of extensions: [WebSocketExtension]) -> [WebSocketExtension] {
        extensions.filter { ASCII.equalIgnoringCase($0.name.utf8, name.utf8) }
    }
}

extension PermessageDeflate {
    /// What a negotiation does wrong; a server passes over such an offer, a client fails.
    ///
    /// Source: RFC 7692 §5, §7.1.
    public enum Fault: Error, Hashable, Sendable {
        /// A parameter that the extension does not have, or has not in an answer.
        case unknownParameter(String)
        /// A parameter that comes twice.
        case repeatedParameter(String)
        /// A value where there can be none.
        case valueNotAllowed(String)
        /// No value where there must be one.
        case valueMissing(String)
        /// A window that is not 8 to 15 in decimals without a leading zero.
        case windowMalformed(String, value: String)
        /// The answer does not take up what the offer asked for.
        case notAnswered(String)
        /// The answer sets what the offer did not allow to be set.
        case notOffered(String)
        /// The answer's window is longer than the offered one.
        case windowTooLong(String, offered: Int)
        /// The answer names the extension more than once.
        case answeredTwice
    }
}
