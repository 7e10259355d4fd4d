package import BelayCore

/// One attempt to connect: finds the name's addresses and tries each in turn.
///
/// It reports once, in a later turn, unless it was cancelled before.
package final class TCPConnector: LoopSource {
    private enum State {
        /// The name is being looked up.
        case resolving(NameResolver.Ticket)
        /// An address is being tried; further ones are in `addresses`.
        case connecting(Int32)
        /// Between two states, or ended.
        case idle
    }

    private let loop: EventLoop
    private let deadline: Milliseconds
    private var completion: ((Result<TCPStream, SocketError>) -> Void)?
    private var state = State.idle
    private var timer: LoopTimer?
    /// Still to be tried.
    private var addresses: ArraySlice<SocketAddress> = []

    /// Begins. `host` is a numeric address or a name; the deadline is for all of it. Each address
    /// has an equal share of the time that is left, so that a dead first one leaves some for the
    /// second. Call on the loop.
    package init(
        to host: String, port: UInt16, deadline: Milliseconds, on loop: EventLoop,
        completion: @escaping (Result<TCPStream, SocketError>) -> Void
    ) {
        loop.preconditionOnLoop()
        (self.loop, self.deadline, self.completion) = (loop, deadline, completion)
        timer = LoopTimer(on: loop) { [unowned self] in deadlineReached() }
        if let address = SocketAddress(numeric: host, port: port) {
            addresses = [address]
            tryNext(after: .timedOut)
        } else {
            timer?.arm(at: deadline)
            // The resolver keeps the connector until it answers.
            state = .resolving(
                loop.resolver.resolve(host, port: port) { [self] in resolved($0) })
        }
    }

    /// Ends the attempt at once; nothing is reported. Idempotent.
    package func cancel() {
        loop.preconditionOnLoop()
        completion = nil
        end()
    }

    func ready(_ directions: Directions) {
        guard case .connecting(let descriptor) = state else { return }
        if let error = Descriptor.pendingError(of: descriptor) {
            close(descriptor)
            return tryNext(after: error)
        }
        // A connected socket can always be written: unwatched, until the stream is started.
        try? loop.watch(descriptor, for: [])
        let stream = TCPStream(descriptor, on: loop)
        loop.handOver(descriptor, to: stream)
        state = .idle
        complete(.success(stream))
    }

    func loopStopped() {
        cancel()
    }

    private func resolved(_ result: Result<[SocketAddress], SocketError>) {
        guard case .resolving = state else { return }
        state = .idle
        switch result {
        case .success(let found):
            addresses = found[...]
            tryNext(after: .nameNotResolved)
        case .failure(let error):
            complete(.failure(error))
        }
    }

    private func deadlineReached() {
        switch state {
        case .resolving:
            complete(.failure(.timedOut))
        case .connecting(let descriptor):
            close(descriptor)
            tryNext(after: .timedOut)
        case .idle:
            return
        }
    }

    private func tryNext(after last: SocketError) {
        var last = last
        while let address = addresses.popFirst() {
            let left = deadline > loop.now ? deadline - loop.now : 0
            do {
                try begin(address)
                timer?.arm(at: loop.now.moved(by: left / Int64(addresses.count + 1)))
                return
            } catch {
                last = error
            }
        }
        // Not here: `init` may not have returned.
        loop.putOff { [self] in complete(.failure(last)) }
    }

    private func begin(_ address: SocketAddress) throws(SocketError) {
        let descriptor = try Descriptor.makeSocket(address.family)
        loop.register(self, descriptor)
        do {
            try Descriptor.connect(descriptor, to: address)
            try loop.watch(descriptor, for: .writing)
        } catch {
            loop.close(descriptor)
            throw error
        }
        state = .connecting(descriptor)
    }

    private func close(_ descriptor: Int32) {
        loop.close(descriptor)
        state = .idle
    }

    private func complete(_ result: Result<TCPStream, SocketError>) {
        guard let completion else { return }
        self.completion = nil
        end()
        completion(result)
    }

    private func end() {
        timer = nil
        addresses = []
        switch state {
        case .resolving(let ticket): loop.resolver.cancel(ticket)
        case .connecting(let descriptor): loop.close(descriptor)
        case .idle: break
        }
        state = .idle
    }
}
