public import BelayTransport
import Synchronization

/// A WebSocket transport that does nothing by itself: the test reads what was asked and answers.
public final class ScriptedWebSocketTransport: WebSocketTransport {
    /// One scripted connection.
    public typealias Scripted = ScriptedChannel<WebSocketRequest, WebSocketMessage>

    /// The domain that the test drives.
    public let domain: any SerialDomain
    private let opened = Mutex<[Scripted]>([])

    /// A transport in the test's domain.
    public init(domain: any SerialDomain) {
        self.domain = domain
    }

    /// Every connection that was asked for, oldest first.
    public var channels: [Scripted] { opened.withLock { $0 } }

    /// Records the attempt.
    public func open(
        _ request: WebSocketRequest, sink: TransportSink<WebSocketMessage>
    ) -> any WebSocketChannel {
        let channel = Scripted(request: request, sink: sink, domain: domain)
        opened.withLock { $0.append(channel) }
        return channel
    }
}

/// An event stream transport that does nothing by itself: the test answers with bytes.
public final class ScriptedEventStreamTransport: EventStreamTransport {
    /// One scripted connection.
    public typealias Scripted = ScriptedChannel<EventStreamRequest, [UInt8]>

    /// The domain that the test drives.
    public let domain: any SerialDomain
    private let opened = Mutex<[Scripted]>([])

    /// A transport in the test's domain.
    public init(domain: any SerialDomain) {
        self.domain = domain
    }

    /// Every connection that was asked for, oldest first.
    public var channels: [Scripted] { opened.withLock { $0 } }

    /// Records the attempt.
    public func open(
        _ request: EventStreamRequest, sink: TransportSink<[UInt8]>
    ) -> any TransportChannel {
        let channel = Scripted(request: request, sink: sink, domain: domain)
        opened.withLock { $0.append(channel) }
        return channel
    }
}
