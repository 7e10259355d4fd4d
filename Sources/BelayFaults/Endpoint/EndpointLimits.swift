public import BelayCore
public import BelayWire

/// How much clients may ask of an endpoint.
public struct EndpointLimits: Hashable, Sendable {
    /// The head of a request. Default as `HTTPHeadLimits`: 64 KiB; more is answered with 431.
    public var head: HTTPHeadLimits
    /// How long a head may take, in milliseconds, and then a content. Default 10,000, at least 1.
    ///
    /// A client that drips its head would hold a connection for ever.
    public var headTimeout: Milliseconds
    /// Messages and frames of clients. Default as `WebSocketLimits`.
    public var webSocket: WebSocketLimits
    /// What is agreed to with clients that offer permessage-deflate; nil agrees to nothing.
    ///
    /// Default windows of 12 bits, and each message of the endpoint for itself: a fault may
    /// leave one out or say it twice, and those behind it can be inflated all the same.
    public var compression: PermessageDeflate.Policy?
    /// How long the client's Close may take after ours, in milliseconds. Default 5,000, at least 1.
    public var closeTimeout: Milliseconds
    /// Connections at once. Default 16,384, at least 1; one more is reset when it is accepted.
    ///
    /// Each costs a descriptor: a process has 1,024 where nobody raised it.
    public var connections: Int
    /// Entries of the record. Default 65,536, 0 or more; what is more is counted.
    public var recordEntries: Int

    /// Limits. A value out of its range is a bug of the caller and traps.
    public init(
        head: HTTPHeadLimits = .default,
        headTimeout: Milliseconds = 10_000,
        webSocket: WebSocketLimits = .default,
        compression: PermessageDeflate.Policy? = PermessageDeflate.Policy(
            own: .init(windowBits: 12, takeover: .none), peer: .init(windowBits: 12)),
        closeTimeout: Milliseconds = 5_000,
        connections: Int = 16_384,
        recordEntries: Int = 65_536
    ) {
        precondition(headTimeout >= 1, "headTimeout \(headTimeout) ms: at least 1")
        precondition(closeTimeout >= 1, "closeTimeout \(closeTimeout) ms: at least 1")
        precondition(connections >= 1, "connections \(connections): at least 1")
        precondition(recordEntries >= 0, "recordEntries \(recordEntries): at least 0")
        self.head = head
        self.headTimeout = headTimeout
        self.webSocket = webSocket
        self.compression = compression
        self.closeTimeout = closeTimeout
        self.connections = connections
        self.recordEntries = recordEntries
    }
}
