/// One socket that connects to one address, for a connector.
final class ConnectAttempt: LoopSource {
    private enum State { case connecting, ended }

    private let descriptor: Int32
    private let connector: TCPConnector
    private var state = State.connecting

    /// Begins. The connector hears of the outcome in a later turn, unless it cancels before.
    init(to address: SocketAddress, for connector: TCPConnector) throws(SocketError) {
        let descriptor = try connector.makeSocket(address.family)
        (self.descriptor, self.connector) = (descriptor, connector)
        connector.loop.register(self, descriptor)
        do {
            try Descriptor.connect(descriptor, to: address)
            try connector.loop.watch(descriptor, for: .writing)
        } catch {
            cancel()
            throw error
        }
    }

    /// Closes the socket; nothing is reported. Idempotent.
    func cancel() {
        guard state == .connecting else { return }
        state = .ended
        connector.loop.close(descriptor)
    }

    func ready(_ directions: Directions) {
        guard state == .connecting else { return }
        if let error = Descriptor.pendingError(of: descriptor) {
            cancel()
            return connector.ended(self, .failure(error))
        }
        guard !Descriptor.isItsOwnPeer(descriptor) else {
            Descriptor.resetOnClose(descriptor)  // A FIN would keep the port from its server.
            cancel()
            return connector.ended(self, .failure(.refused))
        }
        state = .ended
        let loop = connector.loop
        // A connected socket can always be written: unwatched, until the stream is started.
        try? loop.watch(descriptor, for: [])
        let stream = TCPStream(descriptor, on: loop)
        loop.handOver(descriptor, to: stream)
        connector.ended(self, .success(stream))
    }

    func loopStopped() {
        cancel()
        connector.cancel()
    }
}
