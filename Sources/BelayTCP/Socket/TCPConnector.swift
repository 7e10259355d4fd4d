package import BelayCore

/// One attempt to connect: finds the name's addresses and has them race. Source: RFC 8305.
///
/// The first address has a head start, then the next joins, and so on, of either family in turn;
/// the first that connects wins and the others are closed. So a way that leads nowhere costs a
/// quarter of a second, not the system's minutes. It reports once, in a later turn, unless it was
/// cancelled before.
package final class TCPConnector {
    /// An address's head start before the next one, in milliseconds. Source: RFC 8305 §8.
    package static let headStart: Milliseconds = 250

    private enum State {
        /// The name is being looked up.
        case resolving(NameResolver.Ticket)
        /// Addresses are being tried; further ones wait.
        case racing([ConnectAttempt], waiting: ArraySlice<SocketAddress>)
        case ended
    }

    let loop: EventLoop
    /// A new socket of a family.
    let makeSocket: (Int32) throws(SocketError) -> Int32
    private let deadline: Milliseconds
    private var completion: ((Result<TCPStream, SocketError>) -> Void)?
    private var state = State.ended
    private var timer: LoopTimer?

    /// Begins. `host` is a numeric address or a name; the deadline is for all of it. Call on the
    /// loop.
    package convenience init(
        to host: String, port: UInt16, deadline: Milliseconds, on loop: EventLoop,
        completion: @escaping (Result<TCPStream, SocketError>) -> Void
    ) {
        self.init(
            deadline: deadline, on: loop, by: Descriptor.makeSocket, completion: completion)
        if let address = SocketAddress(numeric: host, port: port) {
            race([address])
        } else {
            // The resolver keeps the connector until it answers, each attempt while it runs.
            state = .resolving(
                loop.resolver.resolve(host, port: port) { [self] in resolved($0) })
        }
    }

    /// As by a name that stands for these addresses, in the system's order of preference; by
    /// sockets that the caller may have bound.
    convenience init(
        toAnyOf addresses: [SocketAddress], deadline: Milliseconds, on loop: EventLoop,
        by makeSocket: @escaping (Int32) throws(SocketError) -> Int32 = Descriptor.makeSocket,
        completion: @escaping (Result<TCPStream, SocketError>) -> Void
    ) {
        self.init(deadline: deadline, on: loop, by: makeSocket, completion: completion)
        race(Self.interleaved(addresses))
    }

    private init(
        deadline: Milliseconds, on loop: EventLoop,
        by makeSocket: @escaping (Int32) throws(SocketError) -> Int32,
        completion: @escaping (Result<TCPStream, SocketError>) -> Void
    ) {
        loop.preconditionOnLoop()
        (self.loop, self.makeSocket) = (loop, makeSocket)
        (self.deadline, self.completion) = (deadline, completion)
        timer = LoopTimer(on: loop) { [unowned self] in timerFired() }
        timer?.arm(at: deadline)
    }

    /// Ends the attempt at once; nothing is reported. Idempotent.
    package func cancel() {
        loop.preconditionOnLoop()
        completion = nil
        end()
    }

    /// What became of one address.
    func ended(_ attempt: ConnectAttempt, _ result: Result<TCPStream, SocketError>) {
        guard case .racing(let attempts, let waiting) = state else { return }
        state = .racing(attempts.filter { $0 !== attempt }, waiting: waiting)
        switch result {
        case .success: complete(result)
        case .failure(let error): startNext(after: error)
        }
    }

    /// The families take turns, beginning with the system's first choice, and keep their order.
    /// Source: RFC 8305 §4.
    static func interleaved(_ addresses: [SocketAddress]) -> [SocketAddress] {
        guard let preferred = addresses.first?.family else { return [] }
        let first = addresses.filter { $0.family == preferred }
        let second = addresses.filter { $0.family != preferred }
        return (0..<max(first.count, second.count)).flatMap { place in
            [first, second].compactMap { place < $0.count ? $0[place] : nil }
        }
    }

    private func resolved(_ result: Result<[SocketAddress], SocketError>) {
        guard case .resolving = state else { return }
        switch result {
        case .success(let addresses): race(Self.interleaved(addresses))
        case .failure(let error): complete(.failure(error))
        }
    }

    private func race(_ addresses: [SocketAddress]) {
        state = .racing([], waiting: addresses[...])
        startNext(after: .nameNotResolved)
    }

    /// Lets the next address join; with none left, and none running, `last` is the outcome.
    private func startNext(after last: SocketError) {
        guard case .racing(var attempts, var waiting) = state else { return }
        var last = last
        while let address = waiting.popFirst() {
            do {
                attempts.append(try ConnectAttempt(to: address, for: self))
                break
            } catch {
                last = error
            }
        }
        state = .racing(attempts, waiting: waiting)
        let next = waiting.isEmpty ? .never : loop.now.moved(by: Self.headStart)
        timer?.arm(at: min(next, deadline))
        guard attempts.isEmpty else { return }
        // Not here: `init` may not have returned.
        loop.putOff { [self] in complete(.failure(last)) }
    }

    private func timerFired() {
        if deadline.isReached(at: loop.now) {
            complete(.failure(.timedOut))
        } else {
            startNext(after: .timedOut)
        }
    }

    private func complete(_ result: Result<TCPStream, SocketError>) {
        guard let completion else { return }
        self.completion = nil
        end()
        completion(result)
    }

    private func end() {
        timer = nil
        switch state {
        case .resolving(let ticket): loop.resolver.cancel(ticket)
        case .racing(let attempts, _): for attempt in attempts { attempt.cancel() }
        case .ended: break
        }
        state = .ended
    }
}
