package import BelayTransport
package import BelayWire

/// Event streams over the event loop's sockets, for `http` and `https`. Source: HTML, 9.2.
///
/// A redirection is not followed: it ends with `handshakeRefused` and its status.
package struct TCPEventStreamTransport: EventStreamTransport {
    package var domain: any SerialDomain { loop }

    private let loop: EventLoop
    private let settings: DialSettings
    private let headLimits: HTTPHeadLimits

    /// A transport on `loop`.
    package init(
        on loop: EventLoop = .shared, dial settings: DialSettings = DialSettings(),
        headLimits: HTTPHeadLimits = .default
    ) {
        (self.loop, self.settings, self.headLimits) = (loop, settings, headLimits)
    }

    package func open(
        _ request: EventStreamRequest, sink: TransportSink<[UInt8]>
    ) -> any TransportChannel {
        TCPEventStreamChannel(
            request, dial: settings, headLimits: headLimits, on: loop, sink: sink)
    }
}
