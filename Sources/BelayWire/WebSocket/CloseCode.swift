/// Why a WebSocket was closed, as its Close frame says it.
///
/// Any 16-bit number can arrive; `maySend` tells which may travel. Source: RFC 6455 §7.4 and the
/// IANA registry of close codes.
public struct CloseCode: RawRepresentable, Hashable, Sendable {
    /// The number on the wire.
    public var rawValue: UInt16

    /// The code with this number, which need not be one that may be sent.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// 1000: the purpose is fulfilled.
    public static let normalClosure = CloseCode(rawValue: 1000)
    /// 1001: a server goes down, or a page is left.
    public static let goingAway = CloseCode(rawValue: 1001)
    /// 1002: the peer broke the protocol.
    public static let protocolError = CloseCode(rawValue: 1002)
    /// 1003: a kind of data that the endpoint does not take.
    public static let unsupportedData = CloseCode(rawValue: 1003)
    /// 1005: the Close frame had no code; only reported, never sent.
    public static let noStatusReceived = CloseCode(rawValue: 1005)
    /// 1006: there was no Close frame; only reported, never sent.
    public static let abnormalClosure = CloseCode(rawValue: 1006)
    /// 1007: text that is not UTF-8.
    public static let invalidFramePayloadData = CloseCode(rawValue: 1007)
    /// 1008: a message against the endpoint's rules.
    public static let policyViolation = CloseCode(rawValue: 1008)
    /// 1009: a message too big to be taken.
    public static let messageTooBig = CloseCode(rawValue: 1009)
    /// 1010: the client needs an extension that the server did not agree to.
    public static let mandatoryExtension = CloseCode(rawValue: 1010)
    /// 1011: the server met a condition that it cannot handle.
    public static let internalServerError = CloseCode(rawValue: 1011)
    /// 1012: the service restarts; come back after a random wait.
    public static let serviceRestart = CloseCode(rawValue: 1012)
    /// 1013: the service is overloaded; come back later.
    public static let tryAgainLater = CloseCode(rawValue: 1013)
    /// 1014: a gateway got no valid answer from the server behind it.
    public static let badGateway = CloseCode(rawValue: 1014)
    /// 1015: TLS failed; only reported, never sent.
    public static let tlsHandshakeFailed = CloseCode(rawValue: 1015)

    /// Whether a Close frame may carry it; receiving any other is a protocol error.
    ///
    /// 1000 to 1003, 1007 to 1014, and 3000 to 4999 for libraries and applications.
    public var maySend: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

extension CloseCode: CustomStringConvertible {
    /// The number alone, as evidence and logs write it.
    public var description: String { String(rawValue) }
}
