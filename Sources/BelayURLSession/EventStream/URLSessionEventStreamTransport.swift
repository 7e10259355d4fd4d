package import BelayTransport

/// Event streams over URLSession, each in a session of its own.
///
/// Redirects are followed within the origin that was asked, five at most; another origin would be
/// told credentials and cursor, so its redirect ends the attempt with `handshakeRefused` and the
/// redirect's status.
package struct URLSessionEventStreamTransport: EventStreamTransport {
    package let domain: any SerialDomain
    private let make: MakeEventStreamTask

    /// A transport in `domain`.
    package init(in domain: any SerialDomain = DispatchDomain.shared) {
        self.init(in: domain, make: SystemEventStreamTask.make)
    }

    /// The same over tasks that `make` makes.
    init(in domain: any SerialDomain, make: @escaping MakeEventStreamTask) {
        (self.domain, self.make) = (domain, make)
    }

    package func open(
        _ request: EventStreamRequest, sink: TransportSink<[UInt8]>
    ) -> any TransportChannel {
        let channel = URLSessionEventStreamChannel(in: domain, sink: sink)
        channel.begin { (report) throws(SessionFailure) in try make(request, report) }
        return channel
    }
}
