/// An event as it is dispatched: its type, its data, and the cursor that stands after it.
///
/// Two events are equal when their bytes are: texts that only look alike are different ids.
/// Source: HTML, 9.2.6.
public struct ServerSentEvent: Sendable {
    /// The event type; `message` where the block named none or an empty one.
    public var type: String

    /// The values of the block's `data` fields, joined by LF.
    ///
    /// May be empty.
    public var data: String

    /// The last event ID after this event: its own, or that of an event before it.
    public var lastEventID: String

    /// Whether this very block carried `lastEventID`, rather than a block before it.
    public var carriesID: Bool

    /// The id this very block carried, nil if it had none; an empty one resets the cursor.
    ///
    /// Duplicates are told by this one: an event without an id shows the `lastEventID` of the
    /// event before it, and is not that event.
    public var id: String? { carriesID ? lastEventID : nil }

    /// An event, for tests and for servers, with the cursor its own id leaves behind.
    public init(type: String = "message", data: String, id: String? = nil) {
        self.init(type: type, data: data, lastEventID: id ?? "", carriesID: id != nil)
    }

    /// An event with every part given.
    public init(type: String, data: String, lastEventID: String, carriesID: Bool) {
        self.type = type
        self.data = data
        self.lastEventID = lastEventID
        self.carriesID = carriesID
    }
}

extension ServerSentEvent: Hashable {
    /// Whether every part has the same bytes.
    public static func == (left: ServerSentEvent, right: ServerSentEvent) -> Bool {
        left.carriesID == right.carriesID
            && left.type.utf8.elementsEqual(right.type.utf8)
            && left.data.utf8.elementsEqual(right.data.utf8)
            && left.lastEventID.utf8.elementsEqual(right.lastEventID.utf8)
    }

    /// Hashes bytes, as equality compares them.
    public func hash(into hasher: inout Hasher) {
        for part in [type, data, lastEventID] {
            for byte in part.utf8 { hasher.combine(byte) }
            hasher.combine(UInt8.max)  // Never a byte of UTF-8, so parts cannot run together.
        }
        hasher.combine(carriesID)
    }
}

/// What the parser found in a stream, in the order in which it was found.
public enum EventStreamElement: Hashable, Sendable {
    /// A complete block with data: an event to handle.
    case event(ServerSentEvent)

    /// A complete block that had an id and no data: the cursor moves, nothing is dispatched.
    case lastEventID(String)

    /// The server asks for this wait before a reconnect, in milliseconds.
    ///
    /// 0 to 2⁶⁴ - 1; a greater number becomes the greatest. It holds from the line on which it
    /// stands, also if the block is never completed.
    case reconnectionTime(UInt64)

    /// A comment line arrived: proof of life, whatever stands behind its colon.
    case comment(String)
}
