/// How large a head may be.
public struct HTTPHeadLimits: Hashable, Sendable {
    /// The whole head, in bytes with its line ends.
    ///
    /// Default 64 KiB, at least 64.
    /// Four times what common servers take, because a client must read whatever a proxy adds.
    public var headBytes: Int

    /// One line, in bytes without its end.
    ///
    /// Default 16 KiB, at least 64.
    /// RFC 9112 §3 asks for 8,000 at least; tokens in URLs and cookies have outgrown that.
    public var lineBytes: Int

    /// The field lines.
    ///
    /// Default 128, at least 1.
    /// Looking a field up goes through all of them.
    public var fieldCount: Int

    /// The defaults: 64 KiB, 16 KiB and 128.
    public static let `default` = HTTPHeadLimits()

    /// Limits; a value under its least is a bug of the caller and traps.
    public init(headBytes: Int = 64 << 10, lineBytes: Int = 16 << 10, fieldCount: Int = 128) {
        precondition(headBytes >= 64, "headBytes must be 64 or more")
        precondition(lineBytes >= 64, "lineBytes must be 64 or more")
        precondition(fieldCount >= 1, "fieldCount must be 1 or more")
        self.headBytes = headBytes
        self.lineBytes = lineBytes
        self.fieldCount = fieldCount
    }
}

/// A head that cannot be read: what is wrong, and in which line.
public struct HTTPHeadError: Error, Hashable, Sendable {
    /// What is wrong with the line.
    public enum Fault: Error, Hashable, Sendable {
        /// The head is over `headBytes`.
        case headTooLong(maximum: Int)
        /// A line is over `lineBytes`.
        case lineTooLong(maximum: Int)
        /// There are more field lines than `fieldCount`.
        case tooManyFields(maximum: Int)
        /// A CR that no LF follows.
        case bareCarriageReturn
        /// A NUL byte.
        case nul
        /// The first line is no request line or status line.
        case malformedStartLine
        /// The version is not HTTP/1.x.
        case unsupportedVersion
        /// A field line that goes on in the next one. Source: RFC 9112 §5.2.
        case foldedField
        /// A field line without a colon, or with a name that is no token.
        case malformedFieldName
        /// A space between the field name and its colon. Source: RFC 9112 §5.1.
        case spaceBeforeColon
    }

    /// What is wrong.
    public let fault: Fault

    /// Where the line at fault begins, in bytes from the start of the head.
    ///
    /// For every chunking the same.
    public let offset: Int

    /// An error with both parts given.
    public init(_ fault: Fault, offset: Int) {
        self.fault = fault
        self.offset = offset
    }

    /// The status with which a server refuses such a request: 400, 431 or 505.
    public var status: Int {
        switch fault {
        case .headTooLong, .lineTooLong, .tooManyFields: 431
        case .unsupportedVersion: 505
        case .bareCarriageReturn, .nul, .malformedStartLine, .foldedField, .malformedFieldName,
            .spaceBeforeColon:
            400
        }
    }
}
