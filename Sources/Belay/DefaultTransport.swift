import BelayTCP
public import BelayTransport
public import BelayWire

#if canImport(Darwin)
    import BelayURLSession
#endif

/// What opens connections where an app names nothing else.
public enum DefaultTransport {
    /// `ws` and `wss`, and `wss` trusts what the system trusts.
    ///
    /// On Linux over Belay's own sockets, on the event loop that all connections share; on Apple's
    /// systems over URLSession, on a Dispatch queue that they share.
    public static var webSocket: some WebSocketTransport {
        #if canImport(Darwin)
            URLSessionWebSocketTransport()
        #else
            TCPWebSocketTransport()
        #endif
    }

    /// The same with other limits, or another compression, over Belay's own sockets on every
    /// system. Elsewhere than on Linux these speak no TLS, and end a `wss` attempt with
    /// `connectFailed`.
    ///
    /// - Parameters:
    ///   - limits: How much a server may send before it must come to an end.
    ///   - compression: What is offered to the server; nil offers none. Offered by default, since
    ///     a radio costs more than the 71 KiB that a connection holds while it compresses. Offer
    ///     none where one message mixes a secret with what a stranger chose: its length tells.
    public static func webSocket(
        limits: WebSocketLimits = .default,
        compression: PermessageDeflate.Policy? = .client
    ) -> some WebSocketTransport {
        TCPWebSocketTransport(limits: limits, compression: compression)
    }

    /// The same with a trust of its own, a client certificate, or a proxy.
    ///
    /// - Throws: `TLSPolicy.Invalid` where a file of the policy cannot be used now. Where one
    ///   fails later, the attempt ends with `connectFailed`.
    public static func webSocket(
        tls: TLSPolicy, proxy: HTTPProxy? = nil, limits: WebSocketLimits = .default,
        compression: PermessageDeflate.Policy? = .client
    ) throws(TLSPolicy.Invalid) -> some WebSocketTransport {
        try tls.check()
        return TCPWebSocketTransport(
            dial: DialSettings(tls: tls, proxy: proxy), limits: limits, compression: compression)
    }

    /// `http` and `https`, like `webSocket`; on Linux by libcurl, on the same event loop.
    public static var eventStream: some EventStreamTransport {
        #if canImport(Darwin)
            URLSessionEventStreamTransport()
        #else
            CurlEventStreamTransport()
        #endif
    }

    #if os(Linux)
        /// The same with a trust of its own, a client certificate, or a proxy. Only on Linux: on
        /// Apple's systems a session decides by the system's settings.
        ///
        /// - Throws: As `webSocket`.
        public static func eventStream(
            tls: TLSPolicy, proxy: HTTPProxy? = nil
        ) throws(TLSPolicy.Invalid) -> some EventStreamTransport {
            try tls.check()
            return CurlEventStreamTransport(dial: DialSettings(tls: tls, proxy: proxy))
        }
    #endif

    /// Apple's path monitor, which knows no destination, or the routes of Linux's kernel.
    fileprivate static func pathObserver(
        towards destinations: PathDestinations
    ) -> some PathObserver {
        #if canImport(Darwin)
            SystemPathObserver()
        #else
            RoutePathObserver(towards: destinations)
        #endif
    }
}

extension NetworkPath {
    /// The system's path to the Internet; nothing is observed before `restart()`.
    ///
    /// On Apple's systems by the Network framework. On Linux by what the kernel says of links,
    /// addresses and the route it would take, without any right or other program. There
    /// `expensive` is what NetworkManager says on the system's bus of the main network, its guesses
    /// included, and unknown without one; it comes behind the first report, and nothing waits for
    /// it. `constrained` is unknown there. Costs nothing while nothing changes.
    public convenience init(evidence: (@Sendable (EvidenceRecord) -> Void)? = nil) {
        self.init(observer: DefaultTransport.pathObserver(towards: .anywhere), evidence: evidence)
    }

    /// The same towards one numeric address, such as a server's in a network of its own: tables
    /// and rules may lead there another way. Nothing is sent to it.
    ///
    /// Apple's systems do not ask where to. Nil for anything but an IPv4 or IPv6 address.
    public convenience init?(
        towards address: String, evidence: (@Sendable (EvidenceRecord) -> Void)? = nil
    ) {
        guard let destinations = PathDestinations(numeric: address) else { return nil }
        self.init(
            observer: DefaultTransport.pathObserver(towards: destinations), evidence: evidence)
    }
}
