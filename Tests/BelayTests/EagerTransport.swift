import BelayCore
import BelayTransport
import Synchronization

/// A WebSocket transport that reports from within the calls it gets, as none should.
final class EagerTransport: WebSocketTransport {
    let domain: any SerialDomain
    private let opened = Mutex(0)

    init(domain: any SerialDomain) {
        self.domain = domain
    }

    var attempts: Int { opened.withLock { $0 } }

    func open(
        _ request: WebSocketRequest, sink: TransportSink<WebSocketMessage>
    ) -> any WebSocketChannel {
        opened.withLock { $0 += 1 }
        sink(.opened(subprotocol: nil))
        sink(.received(.text("at once")))
        return Eager(sink: sink)
    }

    private final class Eager: WebSocketChannel {
        private let sink: TransportSink<WebSocketMessage>

        init(sink: TransportSink<WebSocketMessage>) {
            self.sink = sink
        }

        func send(_ message: WebSocketMessage, number: UInt64) {
            sink(.sent(number))
            sink(.received(message))
        }

        func ping(_ number: UInt32) {
            sink(.pingHandedOver(number))
            sink(.pong(number))
        }

        func close(code: UInt16, reason: String) {
            sink(.ended(.peerClosed(code: code)))
        }

        var closeFrames: CloseFrames { CloseFrames() }

        func setReading(_ reading: Reading) {
            if reading == .flowing { sink(.received(.text("from the buffer"))) }
        }

        func abort() {
            sink(.ended(.reset))
        }
    }
}
