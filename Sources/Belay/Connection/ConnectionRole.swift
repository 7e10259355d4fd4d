import BelayCore
import BelayTransport

/// What a WebSocket and an event stream do differently. The life cycle is the machine's, and the
/// same for both.
///
/// A role lives in its driver: it is called in the domain, and only for what the machine accepted.
protocol ConnectionRole<Port, Element>: Sendable {
    associatedtype Port: Transport
    /// What the app reads.
    associatedtype Element: Sendable

    /// Where the app reads it.
    var queue: DeliveryQueue<Element> { get }

    /// What to ask the peer for now.
    mutating func request(for generation: Generation) -> Port.Request

    /// The generation opened.
    mutating func opened(_ generation: Generation, subprotocol: String?)

    /// A payload of the open generation came.
    mutating func received(_ payload: Port.Payload, of generation: Generation) -> Reception

    /// Payload bytes, as evidence counts them.
    func byteCount(of payload: Port.Payload) -> Int

    /// The generation ended, and has its one cause.
    mutating func ended(_ end: ConnectionEnd)

    /// Sends a ping.
    func ping(_ number: UInt32, on channel: Port.Channel)

    /// Begins the closing handshake; `false` where the protocol has none.
    func close(_ channel: Port.Channel) -> Bool

    /// The channel, as what every channel can do.
    func base(_ channel: Port.Channel) -> any TransportChannel
}

/// What a role made of a payload.
struct Reception {
    /// The app lags: stop reading.
    var isFull = false
    /// The server named its reconnection time.
    var reconnectionTime: Milliseconds?
    /// The payload cannot be accepted, and its connection ends.
    var failure: CloseCause?
}
