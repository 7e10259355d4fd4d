import Belay
import BelayAcceptance

extension AcceptanceTransports {
    /// What an app gets that names nothing.
    static let standard = AcceptanceTransports(
        webSocket: DefaultTransport.webSocket, eventStream: DefaultTransport.eventStream)
}
