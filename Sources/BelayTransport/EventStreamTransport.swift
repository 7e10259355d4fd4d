/// Opens event streams and passes their bytes on. Source: HTML, 9.2.
///
/// `opened` means status 200 and the right content type. Bytes are passed undecoded: where events
/// end is decided above, with the cursor.
public protocol EventStreamTransport: Transport
where Request == EventStreamRequest, Payload == [UInt8], Channel == any TransportChannel {}

/// What an event stream is opened with, at each attempt anew.
public struct EventStreamRequest: Hashable, Sendable {
    /// Where from: `http` or `https`. Another ends the attempt for good, `requestInvalid(.url)`.
    ///
    /// A redirect from there to another origin is told neither `lastEventID` nor any field that
    /// could be a secret. Source: Fetch, 2.2.2.
    public var url: ConnectionURL
    /// How it is asked for.
    public var method: RequestMethod
    /// The request's content, sent with `Content-Length`; `nil` for none.
    ///
    /// Its type belongs in `fields`. URLSession sends none with `GET`: the attempt ends for good,
    /// `requestInvalid(.body)`. It is kept, and sent again at each attempt and each redirect
    /// that keeps the method.
    public var body: [UInt8]?
    /// Whether the server may compress the stream. Default `false`: what compresses on the way
    /// tends to hold events back until a block is full.
    public var acceptsCompression: Bool
    /// The last processed event's id; no `Last-Event-ID` is sent for `nil`.
    ///
    /// With a byte that no field can carry nothing is sent at all, and the attempt ends for good
    /// with `requestInvalid(.lastEventID)`: a request without it would replay all or lose what came
    /// since, and nobody would know. A `ResumeMachine` never moves its cursor there by itself.
    public var lastEventID: String?
    /// Further request fields, in order: credentials.
    public var fields: [RequestField]
    /// Response fields that say that `lastEventID` is too old. Default none.
    ///
    /// A response that has one of them, with this value, ends with `cursorTooOld`, whatever its
    /// status; `EventSource` puts in those of its `SnapshotHook`.
    public var staleCursorFields: [RequestField] = []

    /// A request to `url`.
    public init(
        url: ConnectionURL, method: RequestMethod = .get, body: [UInt8]? = nil,
        acceptsCompression: Bool = false, lastEventID: String? = nil, fields: [RequestField] = []
    ) {
        self.url = url
        self.method = method
        self.body = body
        self.acceptsCompression = acceptsCompression
        self.lastEventID = lastEventID
        self.fields = fields
    }
}
