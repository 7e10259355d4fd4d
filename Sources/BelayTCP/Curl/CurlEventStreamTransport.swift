#if os(Linux)
    package import BelayTransport
    package import BelayWire

    /// Event streams by libcurl on the event loop, for `http` and `https`. Source: HTML, 9.2.
    ///
    /// HTTP/2 where the server speaks it through TLS, HTTP/1.1 elsewhere. Each stream has a
    /// connection of its own, however many go to one host. Redirects are followed by
    /// `RedirectChain`.
    package struct CurlEventStreamTransport: EventStreamTransport {
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
            CurlEventStreamChannel(
                request, dial: settings, headLimits: headLimits, on: loop, sink: sink)
        }
    }
#endif
