/// How much a peer may send before it must come to an end.
public struct WebSocketLimits: Hashable, Sendable {
    /// The longest payload of one frame, in bytes.
    ///
    /// Default 16 MiB, at least 125.
    /// Checked on the header, before memory is set aside. As much as a message, because most
    /// senders put a message in one frame.
    public var frameBytes: Int

    /// The longest message, in bytes over all its fragments.
    ///
    /// Default 16 MiB, at least 125.
    /// A message is held whole before it is delivered. URLSession's 1 MiB is known to make loops
    /// of close, reconnect and the same message; this is what an event stream may send as well.
    public var messageBytes: Int

    /// The most fragments of one message.
    ///
    /// Default 131,072, at least 1.
    /// Empty fragments count: millions of tiny ones cost time and never reach the byte limit. A
    /// 4 MB message in fragments of 64 bytes, as conformance tests send it, has half as many.
    public var fragments: Int

    /// The defaults: 16 MiB, 16 MiB and 131,072.
    public static let `default` = WebSocketLimits()

    /// What the byte limits must lie in: a control frame must fit, 32-bit systems must count it.
    public static let byteRange = Frame.maximumControlBytes...(1 << 30)

    /// Limits; a value outside its range is a bug of the caller and traps.
    public init(
        frameBytes: Int = 16 << 20, messageBytes: Int = 16 << 20, fragments: Int = 131_072
    ) {
        precondition(
            Self.byteRange.contains(frameBytes), "frameBytes outside WebSocketLimits.byteRange")
        precondition(
            Self.byteRange.contains(messageBytes), "messageBytes outside WebSocketLimits.byteRange")
        precondition(fragments >= 1, "fragments must be 1 or more")
        self.frameBytes = frameBytes
        self.messageBytes = messageBytes
        self.fragments = fragments
    }
}
