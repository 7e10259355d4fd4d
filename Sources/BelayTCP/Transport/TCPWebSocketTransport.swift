package import BelayTransport
package import BelayWire

/// WebSocket connections over the event loop's sockets, for `ws` and `wss`.
package struct TCPWebSocketTransport: WebSocketTransport {
    package var domain: any SerialDomain { loop }

    private let loop: EventLoop
    private let settings: DialSettings
    private let limits: WebSocketLimits
    private let compression: PermessageDeflate.Policy?
    private let headLimits: HTTPHeadLimits
    private let chance: @Sendable () -> UInt64

    /// A transport on `loop`.
    ///
    /// `compression` is offered to the server, nil offers none.
    /// `chance` gives 64 bits for each nonce, ping mark and masking key. The default asks the
    /// system anew each time: a masking key must not be foreseen from those before it (RFC 6455
    /// §5.3), and the call costs little beside the send that follows.
    package init(
        on loop: EventLoop = .shared, dial settings: DialSettings = DialSettings(),
        limits: WebSocketLimits = .default, compression: PermessageDeflate.Policy? = .client,
        headLimits: HTTPHeadLimits = .default,
        chance: @escaping @Sendable () -> UInt64 = Self.systemChance
    ) {
        (self.loop, self.settings, self.limits) = (loop, settings, limits)
        (self.compression, self.headLimits, self.chance) = (compression, headLimits, chance)
    }

    /// Chance from the system's own source.
    package static let systemChance: @Sendable () -> UInt64 = {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }

    package func open(
        _ request: WebSocketRequest, sink: TransportSink<WebSocketMessage>
    ) -> any WebSocketChannel {
        TCPWebSocketChannel(
            request, dial: settings, limits: limits, compression: compression,
            headLimits: headLimits, chance: chance, on: loop, sink: sink)
    }
}
