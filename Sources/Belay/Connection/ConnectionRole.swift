import BelayCore
import BelayTransport

/// What a WebSocket and an event stream do differently. The life cycle is the machine's, and the
/// same for both.
///
/// A role lives in its driver: it is called in the domain, and only for what the machine accepted.
///
/// It holds its transport as `any`: the driver's code is then specialised for two roles, instead of
/// being generic over transports that only an app's own module knows.
protocol ConnectionRole: Sendable {
    /// What is asked of the peer.
    associatedtype Request: Sendable
    /// What arrives: a message, or bytes.
    associatedtype Payload: Sendable
    /// One connection of the transport.
    associatedtype Channel
    /// What the app reads.
    associatedtype Element: Sendable

    /// The domain of the transport.
    var domain: any SerialDomain { get }

    /// Where the app reads what happens.
    var queue: DeliveryQueue<Element> { get }

    /// What every attempt asks for.
    var request: Request { get }

    /// What completes the request of each attempt.
    var hook: RequestHook<Request>? { get }

    /// Begins the attempt of the sink's generation, if its request can be sent.
    mutating func open(
        _ request: Request, _ sink: TransportSink<Payload>
    ) throws(UnsendableRequest) -> Channel

    /// The generation opened.
    mutating func opened(_ generation: Generation, subprotocol: String?)

    /// A payload of the open generation came.
    mutating func received(_ payload: Payload, of generation: Generation) -> Reception

    /// Payload bytes, as evidence counts them.
    func byteCount(of payload: Payload) -> Int

    /// The next payload that has room to leave, under its number; `nil` where none has.
    mutating func nextToSend() -> (payload: Payload, number: UInt64)?

    /// Sends a payload; `sent` follows.
    func send(_ payload: Payload, number: UInt64, on channel: Channel)

    /// Payload bytes of what is leaving under `number`; `nil` where nothing is.
    func byteCount(ofSent number: UInt64) -> Int?

    /// The bytes under `number` left.
    mutating func sent(_ number: UInt64)

    /// The generation ended, and has its one cause.
    mutating func ended(_ end: CloseFacts)

    /// Sends a ping.
    func ping(_ number: UInt32, on channel: Channel)

    /// The Close frames that travelled on the channel so far.
    func frames(of channel: Channel) -> CloseFrames

    /// Whether closing waits for the peer. Where it does not, a close is not taken back either.
    static var hasClosingHandshake: Bool { get }

    /// Begins the closing handshake, where the protocol has one.
    func close(_ channel: Channel)

    /// The channel, as what every channel can do.
    func base(_ channel: Channel) -> any TransportChannel
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
