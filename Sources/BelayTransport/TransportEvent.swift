public import BelayCore

/// What a transport reports of one generation.
public enum TransportEvent<Payload: Sendable>: Sendable {
    /// The opening handshake, or the response head, is accepted.
    case opened(subprotocol: String?)
    /// A whole message, or the next bytes of a stream, in order.
    case received(Payload)
    /// A part of a frame came; nothing else, no pong either, can come before the rest of it.
    ///
    /// For transports that see frames; one report for each read is enough.
    case partlyReceived
    /// A ping's bytes were given to the system; its deadline counts from here.
    case pingHandedOver(UInt32)
    /// The answer to this ping, matched by payload or by the completion of that very ping.
    case pong(UInt32)
    /// A pong that answers none of our pings. Source: RFC 6455 §5.5.3.
    case unsolicitedPong
    /// The bytes of the message with this number were given to the system.
    case sent(UInt64)
    /// The end of this generation. Late or repeated reports are tolerated, and ignored.
    ///
    /// Where the server or a proxy refused, `retryAfter` says for how many milliseconds it asks to
    /// stay away; `nil` where it does not. It stands beside the cause and is none. Source: RFC 9110
    /// §10.2.3.
    case ended(CloseCause, retryAfter: Milliseconds? = nil)
}

/// Where a transport reports to. It cannot report without its generation.
///
/// The number was captured when the transport was created (law 1). Call in the domain only.
public struct TransportSink<Payload: Sendable>: Sendable {
    /// The generation of the transport that holds this sink.
    public let generation: Generation
    private let receive: @Sendable (Generation, TransportEvent<Payload>) -> Void

    /// A sink for one generation. `receive` is called in the domain.
    public init(
        generation: Generation,
        receive: @escaping @Sendable (Generation, TransportEvent<Payload>) -> Void
    ) {
        self.generation = generation
        self.receive = receive
    }

    /// Reports `event` as one of this generation.
    public func callAsFunction(_ event: TransportEvent<Payload>) {
        receive(generation, event)
    }
}
