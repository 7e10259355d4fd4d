/// How much of a stream may be held before a blank line lets it go.
///
/// A stream is endless and its sender is not trusted: without these an unfinished line, also one
/// of a comment or of an unknown field, eats all memory.
public struct EventStreamLimits: Hashable, Sendable {
    /// Names a limit in an error.
    public enum Name: Hashable, Sendable {
        /// `lineBytes` was exceeded.
        case lineBytes
        /// `eventBytes` was exceeded.
        case eventBytes
        /// `pendingBytes` was exceeded.
        case pendingBytes
        /// `idBytes` was exceeded.
        case idBytes
    }

    /// The longest line of any kind, in bytes without its end.
    ///
    /// Default 16 MiB: events that carry an image or a tool's answer of 10 MiB on one line exist.
    public var lineBytes: Int

    /// The most a block may hold in data, type and id together, in bytes.
    ///
    /// Default 16 MiB.
    /// As much as a line: an event may be one line.
    public var eventBytes: Int

    /// The most held in all, unfinished line and unfinished event together.
    ///
    /// Default 32 MiB.
    /// The sum of the two above, so that it binds only where it is set lower: it is what one
    /// connection may cost.
    public var pendingBytes: Int

    /// The longest id, in bytes.
    ///
    /// Default 8 KiB: a request says it in a field, and common servers take no longer line of one.
    /// Many ids are kept to know an event again (`ResumePolicy`), so that this bounds them all.
    public var idBytes: Int

    /// The defaults: 16 MiB, 16 MiB, 32 MiB and 8 KiB.
    public static let `default` = EventStreamLimits()

    /// What every limit must lie in: a short line must fit, and 32-bit systems must count it.
    public static let range = 64...(1 << 30)

    /// Limits in bytes; one outside `range` is a bug of the caller and traps.
    public init(
        lineBytes: Int = 16 << 20, eventBytes: Int = 16 << 20, pendingBytes: Int = 32 << 20,
        idBytes: Int = 8 << 10
    ) {
        precondition(Self.range.contains(lineBytes), "lineBytes outside EventStreamLimits.range")
        precondition(Self.range.contains(eventBytes), "eventBytes outside EventStreamLimits.range")
        precondition(
            Self.range.contains(pendingBytes), "pendingBytes outside EventStreamLimits.range")
        precondition(Self.range.contains(idBytes), "idBytes outside EventStreamLimits.range")
        self.lineBytes = lineBytes
        self.eventBytes = eventBytes
        self.pendingBytes = pendingBytes
        self.idBytes = idBytes
    }
}

/// A stream that holds more than a limit allows.
///
/// Nothing else in a stream is an error.
public struct EventStreamError: Error, Hashable, Sendable {
    /// The limit that was exceeded.
    public let limit: EventStreamLimits.Name

    /// Its value, in bytes.
    public let maximum: Int

    /// The byte of the stream, counted from 0, with which it was exceeded; for `eventBytes`
    /// and `idBytes`, the end of the line that did not fit.
    ///
    /// The same for every chunking.
    public let offset: UInt64

    /// An error with every part given.
    public init(limit: EventStreamLimits.Name, maximum: Int, offset: UInt64) {
        self.limit = limit
        self.maximum = maximum
        self.offset = offset
    }
}
