import BelayCore
import BelayTransport

/// How a WebSocket fills the driver's role: messages and ends go to the app's queue.
struct WebSocketRole: ConnectionRole {
    let transport: any WebSocketTransport
    let request: WebSocketRequest
    let queue: DeliveryQueue<WebSocketEvent>

    var domain: any SerialDomain { transport.domain }

    func open(_ sink: TransportSink<WebSocketMessage>) -> any WebSocketChannel {
        transport.open(request, sink: sink)
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

    func ended(_ end: ConnectionEnd) {
        queue.retractEmptyGeneration()
        _ = queue.push(.closed(end.generation, end.cause), weight: 0)
    }

    func ping(_ number: UInt32, on channel: any WebSocketChannel) {
        channel.ping(number)
    }

    func close(_ channel: any WebSocketChannel) -> Bool {
        channel.close(code: 1000, reason: "")
        return true
    }

    func base(_ channel: any WebSocketChannel) -> any TransportChannel {
        channel
    }
}

extension DeliveryQueue<WebSocketEvent> {
    /// Where the app lags, takes back the newest generation if nothing happened in it.
    ///
    /// An app that does not read while its server refuses or drops it for days must not fill its
    /// memory. It sees fewer of the empty generations, and each that it sees is whole.
    fileprivate func retractEmptyGeneration() {
        retractIfFull { newest, before in
            guard case .closed(let id, _) = newest else { return 0 }
            return switch before {
            case .opened(id, _): 2
            case .message(_, id): 0
            case .opened, .message, .closed, nil: before == nil ? 0 : 1
            }
        }
    }
}
