package import BelayTransport
package import BelayWire

/// Event streams over the event loop's sockets, for `http`. Source: HTML, 9.2.
///
/// `https` ends with `connectFailed`, by the system's number for "protocol not supported".
/// A redirection is not followed: it ends with `handshakeRefused` and its status.
package struct TCPEventStreamTransport: EventStreamTransport {
    package var domain: any SerialDomain { loop }

    private let loop: EventLoop
    private let headLimits: HTTPHeadLimits

    /// A transport on `loop`.
    package init(on loop: EventLoop = .shared, headLimits: HTTPHeadLimits = .default) {
        (self.loop, self.headLimits) = (loop, headLimits)
    }

    package func open(
        _ request: EventStreamRequest, sink: TransportSink<[UInt8]>
    ) -> any TransportChannel {
        TCPEventStreamChannel(request, headLimits: headLimits, on: loop, sink: sink)
    }
}
