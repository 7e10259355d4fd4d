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
}
