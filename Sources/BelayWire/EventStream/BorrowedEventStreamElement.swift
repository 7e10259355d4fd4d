/// What the parser found in a stream, lent for the length of one call.
///
/// The same elements as `EventStreamElement`, as the bytes that the stream has: UTF-8 is not
/// judged. The spans point into the chunk or into the parser; copy what must stay.
public enum BorrowedEventStreamElement: ~Escapable {
    /// A complete block with data: an event to handle.
    ///
    /// The type is empty where the block named none or an empty one: a `message`. Lines of data
    /// are joined by LF. `lastEventID` is the cursor after the event; where `carriesID`, this very
    /// block set it.
    case event(type: RawSpan, data: RawSpan, lastEventID: RawSpan, carriesID: Bool)

    /// A complete block that had an id and no data: the cursor moves, nothing is dispatched.
    case lastEventID(RawSpan)

    /// The server asks for this wait before a reconnect, in milliseconds, as in
    /// `EventStreamElement.reconnectionTime`.
    case reconnectionTime(UInt64)

    /// A comment line arrived: proof of life, whatever stands behind its colon.
    case comment(RawSpan)
}
