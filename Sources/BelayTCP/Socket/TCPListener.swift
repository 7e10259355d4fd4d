import BelayCore

/// Accepts connections on one address of a loop, until `close()`.
package final class TCPListener: LoopSource {
    /// Connections that the system holds for us. A storm of a thousand clients fits in; the
    /// system's own maximum (4096 on Linux) cuts what is more.
    package static let backlog: Int32 = 1_024
    /// Accepted in a turn at most: the connections that are there are served between.
    private static let acceptBudget = 64
    /// How long accepting rests when no descriptor is left, in milliseconds. The connections
    /// wait in the backlog; trying on would spin, as the listener stays ready.
    private static let rest: Milliseconds = 100

    /// Where it listens, with the port that the system chose.
    package let address: SocketAddress
    private let loop: EventLoop
    private let descriptor: Int32
    private let accept: (TCPStream) -> Void
    private var timer: LoopTimer?
    private var isOpen = true

    /// Listens. `accept` is called on the loop for each connection, which must be started or reset.
    /// Call on the loop.
    ///
    /// `host` is a numeric address; port 0 lets the system choose.
    package init(
        host: String = "127.0.0.1", port: UInt16 = 0, on loop: EventLoop,
        accept: @escaping (TCPStream) -> Void
    ) throws(ListenError) {
        loop.preconditionOnLoop()
        guard let wanted = SocketAddress(numeric: host, port: port) else {
            throw ListenError(host: host, port: port, cause: nil)
        }
        do {
            (descriptor, address) = try Self.open(wanted)
        } catch {
            throw ListenError(host: host, port: port, cause: error)
        }
        (self.loop, self.accept) = (loop, accept)
        loop.register(self, descriptor)
        timer = LoopTimer(on: loop) { [unowned self] in resume() }
        do {
            try loop.watch(descriptor, for: .reading)
        } catch {
            close()
            throw ListenError(host: host, port: port, cause: error)
        }
    }

    /// Stops accepting; connections go on. Idempotent.
    package func close() {
        loop.preconditionOnLoop()
        guard isOpen else { return }
        isOpen = false
        timer = nil
        loop.close(descriptor)
    }

    func ready(_ directions: Directions) {
        for _ in 0..<Self.acceptBudget where isOpen {
            do {
                guard let accepted = try Descriptor.accept(descriptor) else { return }
                let stream = TCPStream(accepted, on: loop)
                loop.register(stream, accepted)
                accept(stream)
            } catch {
                return pause()
            }
        }
    }

    func loopStopped() {
        close()
    }

    private func pause() {
        // Taking a watch back cannot fail for a descriptor that has one.
        try? loop.watch(descriptor, for: [])
        timer?.arm(at: loop.now.moved(by: Self.rest))
    }

    private func resume() {
        do {
            try loop.watch(descriptor, for: .reading)
        } catch {
            timer?.arm(at: loop.now.moved(by: Self.rest))
        }
    }

    private static func open(
        _ wanted: SocketAddress
    ) throws(SocketError) -> (Int32, SocketAddress) {
        let descriptor = try Descriptor.makeSocket(wanted.family)
        do {
            return (descriptor, try Descriptor.listen(descriptor, on: wanted, backlog: backlog))
        } catch {
            Descriptor.close(descriptor)
            throw error
        }
    }
}
