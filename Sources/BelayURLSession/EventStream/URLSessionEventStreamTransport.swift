package import BelayTransport

/// Event streams over URLSession, each in a session of its own.
///
/// Redirects are followed by `RedirectChain`, each by a session of its own.
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
        let channel = URLSessionEventStreamChannel(request, in: domain, make: make, sink: sink)
        channel.begin()
        return channel
    }
}
