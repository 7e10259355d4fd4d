package import BelayTransport

/// WebSocket connections over URLSession, each in a session of its own.
///
/// For Apple's systems. On Linux it compiles, and an attempt ends with
/// `requestInvalid(.url)`: the system's class has no such addresses.
package struct URLSessionWebSocketTransport: WebSocketTransport {
    /// The longest message by default, in bytes. URLSession's own 1 MiB is known to make loops of
    /// close, reconnect and the same message; this is what Belay's own sockets take.
    package static let defaultMessageLimit = 16 << 20

    package let domain: any SerialDomain
    private let messageLimit: Int
    private let make: MakeWebSocketTask

    /// A transport in `domain`.
    ///
    /// - Parameter messageLimit: The longest message in bytes, 125 to 2³⁰; others trap.
    package init(
        in domain: any SerialDomain = DispatchDomain.shared,
        messageLimit: Int = Self.defaultMessageLimit
    ) {
        self.init(in: domain, messageLimit: messageLimit, make: SystemWebSocketTask.make)
    }

    /// The same over tasks that `make` makes.
    init(in domain: any SerialDomain, messageLimit: Int, make: @escaping MakeWebSocketTask) {
        precondition(
            125...(1 << 30) ~= messageLimit, "messageLimit \(messageLimit): 125 to 2³⁰")
        (self.domain, self.messageLimit, self.make) = (domain, messageLimit, make)
    }

    package func open(
        _ request: WebSocketRequest, sink: TransportSink<WebSocketMessage>
    ) -> any WebSocketChannel {
        let channel = URLSessionWebSocketChannel(
            request, messageLimit: messageLimit, in: domain, sink: sink)
        channel.begin { (report) throws(SessionFailure) in
            try make(request, messageLimit, report)
        }
        return channel
    }
}
