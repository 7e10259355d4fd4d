import BelayCore
import BelayTransport

/// How a WebSocket fills the driver's role: messages and ends go to the app's queue.
struct WebSocketRole: ConnectionRole {
    /// What our Close frame says.
    struct Farewell {
        var code: UInt16 = 1_000
        var reason = ""
    }

    let transport: any WebSocketTransport
    let request: WebSocketRequest
    let hook: RequestHook<WebSocketRequest>?
    let queue: DeliveryQueue<WebSocketEvent>
    /// Messages of the open generation that have not left yet.
    var sends: PendingSends
    /// Another one than the usual stands only while its `stop` is carried out.
    var farewell = Farewell()

    var domain: any SerialDomain { transport.domain }

    func open(
        _ request: WebSocketRequest, _ sink: TransportSink<WebSocketMessage>
    ) throws(UnsendableRequest) -> any WebSocketChannel {
        try request.check()
        return transport.open(request, sink: sink)
    }

    func opened(_ generation: Generation, subprotocol: String?) {
        queue.retractEmptyGeneration()
        _ = queue.push(.opened(generation, subprotocol: subprotocol), weight: 0)
    }

    func received(_ message: WebSocketMessage, of generation: Generation) -> Reception {
        let pace = queue.push(.message(message, generation), weight: message.byteCount)
        return Reception(isFull: pace == .full)
    }

    func byteCount(of message: WebSocketMessage) -> Int {
        message.byteCount
    }

    func byteCount(ofSent number: UInt64) -> Int? {
        sends.byteCount(of: number)
    }

    mutating func sent(_ number: UInt64) {
        sends.complete(number)
    }

    mutating func nextToSend() -> (payload: WebSocketMessage, number: UInt64)? {
        sends.next()
    }

    func send(_ message: WebSocketMessage, number: UInt64, on channel: any WebSocketChannel) {
        channel.send(message, number: number)
    }

    mutating func ended(_ end: CloseFacts) {
        queue.retractEmptyGeneration()
        _ = queue.push(.closed(end), weight: 0)
        sends.failAll(with: BelayError(.closed(end.cause), generation: end.generation))
    }

    func ping(_ number: UInt32, on channel: any WebSocketChannel) {
        channel.ping(number)
    }

    static var hasClosingHandshake: Bool { true }

    func close(_ channel: any WebSocketChannel) {
        channel.close(code: farewell.code, reason: farewell.reason)
    }

    func frames(of channel: any WebSocketChannel) -> CloseFrames {
        channel.closeFrames
    }

    func base(_ channel: any WebSocketChannel) -> any TransportChannel {
        channel
    }
}

extension ConnectionDriver where Role == WebSocketRole {
    /// As `close()`, and says `farewell` where there is a handshake to begin.
    nonisolated func close(sending farewell: WebSocketRole.Farewell) {
        closes.increment()
        domain.submit { [weak self] in
            self?.assumeIsolated { driver in
                driver.role.farewell = farewell
                driver.handle(.stop)
                driver.role.farewell = WebSocketRole.Farewell()
            }
        }
    }
}

extension DeliveryQueue<WebSocketEvent> {
    /// Where the app lags, takes back the newest generation if nothing happened in it.
    ///
    /// An app that does not read while its server refuses or drops it for days must not fill its
    /// memory. It sees fewer of the empty generations, and each that it sees is whole.
    fileprivate func retractEmptyGeneration() {
        retractIfFull { newest, before in
            guard case .closed(let end) = newest else { return 0 }
            return switch before {
            case .opened(end.generation, _): 2
            case .message(_, end.generation): 0
            case .opened, .message, .closed, nil: before == nil ? 0 : 1
            }
        }
    }
}
