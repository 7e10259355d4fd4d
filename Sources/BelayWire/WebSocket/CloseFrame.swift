/// What a Close frame says: a code and a reason, or nothing at all.
///
/// Source: RFC 6455 §5.5.1.
public struct CloseFrame: Sendable {
    /// The code, nil when the payload was empty; that is reported as 1005.
    public let code: CloseCode?

    /// The reason in the peer's words, at most 123 bytes of UTF-8.
    ///
    /// Empty without a code.
    public let reason: String

    /// The longest reason that fits a control frame beside the code, in bytes of UTF-8.
    public static let maximumReasonBytes = Frame.maximumControlBytes - 2

    /// A Close frame without code and reason.
    public static let empty = CloseFrame(nil, "")

    private init(_ code: CloseCode?, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// A Close frame to be sent; nil if the code may not be sent.
    ///
    /// A reason over `maximumReasonBytes` is cut at a whole scalar: it is for people, and
    /// closing must not fail for its length.
    public init?(code: CloseCode, reason: String = "") {
        guard code.maySend else { return nil }
        self.init(code, Self.fitting(reason))
    }

    /// The Close frame in a received payload.
    public init(payload: [UInt8]) throws(WebSocketViolation.Fault) {
        guard !payload.isEmpty else {
            self = .empty
            return
        }
        guard payload.count >= 2 else { throw .closePayloadTooShort }
        let code = CloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
        guard code.maySend else { throw .closeCodeNotAllowed(code) }
        var validator = UTF8Validator()
        guard validator.append(payload[2...]), validator.isComplete else {
            throw .closeReasonNotUTF8
        }
        self.init(code, String(decoding: payload[2...], as: UTF8.self))
    }

    /// The payload as it travels.
    public var payload: [UInt8] {
        guard let code else { return [] }
        return [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)] + Array(reason.utf8)
    }

    private static func fitting(_ reason: String) -> String {
        guard reason.utf8.count > maximumReasonBytes else { return reason }
        var fitting = String.UnicodeScalarView()
        var room = maximumReasonBytes
        for scalar in reason.unicodeScalars {
            room -= UTF8.width(scalar)
            guard room >= 0 else { break }
            fitting.append(scalar)
        }
        return String(fitting)
    }
}

extension CloseFrame: Hashable {
    /// Whether code and reason have the same bytes.
    public static func == (left: CloseFrame, right: CloseFrame) -> Bool {
        left.code == right.code && left.reason.utf8.elementsEqual(right.reason.utf8)
    }

    /// Hashes bytes, as equality compares them.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(payload)
    }
}
