public import BelayCore
public import BelayTransport
import Synchronization

/// What a driver asked of one scripted connection, and the mouth through which it answers.
public final class ScriptedChannel<Request: Sendable, Payload: Sendable>: WebSocketChannel, Sendable
{
    /// What was asked, in order.
    public enum Order: Hashable, Sendable {
        /// Send a message under this number.
        case send(WebSocketMessage, number: UInt64)
        /// Send a ping.
        case ping(UInt32)
        /// Begin the closing handshake.
        case close(code: UInt16)
        /// Stop or resume reading.
        case setReading(Reading)
        /// Release everything.
        case abort
    }

    /// What the transport was asked to open.
    public let request: Request
    private let sink: TransportSink<Payload>
    private let domain: any SerialDomain
    private let recorded = Mutex<[Order]>([])
    private let frames = Mutex(CloseFrames())

    init(request: Request, sink: TransportSink<Payload>, domain: any SerialDomain) {
        self.request = request
        self.sink = sink
        self.domain = domain
    }

    /// The generation that the transport was asked for.
    public var generation: Generation { sink.generation }

    /// Reports `event` under this channel's generation in the domain's next turn, however late.
    public func report(_ event: TransportEvent<Payload>) {
        let sink = sink
        domain.submit { sink(event) }
    }

    /// Everything that was asked, in order.
    public var orders: [Order] { recorded.withLock { $0 } }

    /// Whether the driver released the connection.
    public var isAborted: Bool { orders.contains(.abort) }

    /// The pings that were asked for.
    public var pings: [UInt32] {
        orders.compactMap { if case .ping(let number) = $0 { number } else { nil } }
    }

    /// The messages that were to be sent.
    public var sent: [WebSocketMessage] {
        orders.compactMap { if case .send(let message, _) = $0 { message } else { nil } }
    }

    /// Records the order.
    public func send(_ message: WebSocketMessage, number: UInt64) {
        recorded.withLock { $0.append(.send(message, number: number)) }
    }

    /// Records the order.
    public func ping(_ number: UInt32) {
        recorded.withLock { $0.append(.ping(number)) }
    }

    /// Records the order.
    public func close(code: UInt16, reason: String) {
        recorded.withLock { $0.append(.close(code: code)) }
        frames.withLock { $0.sentCode = code }
    }

    /// What the driver is told of Close frames: the code it ordered, and what the test set.
    public var closeFrames: CloseFrames { frames.withLock { $0 } }

    /// The peer's Close frame came; report the end as well.
    public func receiveClose(code: UInt16, reasonLength: Int = 0) {
        frames.withLock {
            $0.received = CloseFrames.Received(code: code, reasonLength: reasonLength)
        }
    }

    /// Records the order.
    public func setReading(_ reading: Reading) {
        recorded.withLock { $0.append(.setReading(reading)) }
    }

    /// Records the order.
    public func abort() {
        recorded.withLock { $0.append(.abort) }
    }
}
