/// Opens event streams and passes their bytes on. Source: HTML, 9.2.
///
/// `opened` means status 200 and the right content type. Bytes are passed undecoded: where events
/// end is decided above, with the cursor.
public protocol EventStreamTransport: Transport
where Request == EventStreamRequest, Payload == [UInt8], Channel == any TransportChannel {}

/// What an event stream is opened with.
public struct EventStreamRequest: Hashable, Sendable {
    /// Where from: `http` or `https`.
    public var url: ConnectionURL
    /// The last processed event's id; no `Last-Event-ID` is sent for `nil`.
    public var lastEventID: String?
    /// Further request fields, in order: credentials.
    public var fields: [RequestField]

    /// A request to `url`.
    public init(url: ConnectionURL, lastEventID: String? = nil, fields: [RequestField] = []) {
        self.url = url
        self.lastEventID = lastEventID
        self.fields = fields
    }
}
