public import BelayTransport

/// What opens the connections of an acceptance: the same for every scenario.
public struct AcceptanceTransports: Sendable {
    let webSocket: any WebSocketTransport
    let eventStream: any EventStreamTransport

    /// Transports that share one domain, whose monotonic line is the endpoint's.
    public init(webSocket: some WebSocketTransport, eventStream: some EventStreamTransport) {
        self.webSocket = webSocket
        self.eventStream = eventStream
    }

    /// Where clients live, and what their records count from.
    var domain: any SerialDomain { webSocket.domain }
}
