import BelayCore
import Testing

@testable import BelayTCP

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

@Suite(.tags(.realTime), .timeLimit(.minutes(5)))
struct `An attempt to connect` {
    @Test(arguments: PollerKind.allCases)
    func `is refused where nobody listens`(_ kind: PollerKind) async throws {  // P12
        try await onLoop(kind) { bench in
            // A port that was given back.
            let gone = try SilentListener()
            gone.close()
            _ = await #expect(throws: SocketError.refused) {
                try await connect(to: gone.port, on: bench.loop)
            }
        }
    }

    /// The system may give an attempt the very port that it asks for.
    @Test(arguments: PollerKind.allCases)
    func `is refused where it meets itself`(_ kind: PollerKind) async throws {
        try await onLoop(kind) { bench in
            let any = try #require(SocketAddress(numeric: "127.0.0.1", port: 0))
            // A free port may be given to any other program: not to one each time.
            for _ in 0..<10 {
                let bound = try Descriptor.makeSocket(any.family)
                try #require(any.withRaw { bind(bound, $0, $1) } == 0)
                let own = try #require(Descriptor.address(of: bound, getsockname))
                _ = await #expect(throws: SocketError.refused) {
                    try await race([own], on: bench.loop, by: { _ in bound })
                }
                // At once another can listen there.
                guard
                    let listener = try? TCPListener(
                        port: own.port, on: bench.loop, accept: { _ in })
                else { continue }
                #expect(listener.address == own)
                return
            }
            Issue.record("nobody could listen where an attempt had met itself")
        }
    }

    @Test func `finds a name and tries each of its addresses`() async throws {
        try await onLoop { bench in
            let accepted = Promise<TCPStream>()
            // The name stands for ::1 too on most systems, where nobody listens.
            let listener = try TCPListener(on: bench.loop) { accepted.put($0) }
            let client = try await connect(
                to: listener.address.port, host: "localhost", on: bench.loop)
            #expect(client.peerAddress == listener.address)
        }
    }

    @Test func `names a host without an address`() async throws {
        try await onLoop { bench in
            _ = await #expect(throws: SocketError.nameNotResolved) {
                try await connect(to: 80, host: "no-such-host.invalid", on: bench.loop)
            }
        }
    }

    @Test(arguments: PollerKind.allCases)
    func `ends at its deadline where nobody answers`(_ kind: PollerKind) async throws {
        try await onLoop(kind) { bench in
            // A listener that accepts nothing and whose backlog is full drops further attempts.
            let silent = try SilentListener()
            defer { silent.close() }
            let deadline = bench.loop.now + 50
            var outcome: SocketError?
            var held: [TCPStream] = []
            while outcome == nil {
                do {
                    held.append(
                        try await connect(
                            to: silent.port, on: bench.loop, deadline: bench.loop.now + 50))
                } catch let error as SocketError {
                    outcome = error
                }
            }
            #expect(outcome == .timedOut)
            #expect(bench.loop.now >= deadline)
            for stream in held { stream.reset() }
        }
    }

    @Test func `does not wait for an address that leads nowhere`() async throws {  // C13
        try await onLoop { bench in
            let dead = try await DeadEnd(on: bench.loop)
            defer { dead.close() }
            let listener = try TCPListener(on: bench.loop) { _ in }
            let start = bench.loop.now
            let before = bench.loop.registeredCount
            let client = try await race([dead.address, listener.address], on: bench.loop)
            #expect(client.peerAddress == listener.address)
            #expect(bench.loop.now - start >= TCPConnector.headStart)
            // The one that lost is closed.
            client.reset()
            #expect(bench.loop.registeredCount <= before + 1)
        }
    }

    @Test func `goes on at once from an address that refuses`() async throws {
        try await onLoop { bench in
            let gone = try SilentListener()
            gone.close()
            let listener = try TCPListener(on: bench.loop) { _ in }
            let refusing = try #require(SocketAddress(numeric: "127.0.0.1", port: gone.port))
            let client = try await race([refusing, refusing, listener.address], on: bench.loop)
            #expect(client.peerAddress == listener.address)
        }
    }

    @Test func `fails by its deadline, and closes all, where every address is dead`() async throws {
        try await onLoop { bench in
            let dead = try await DeadEnd(on: bench.loop)
            defer { dead.close() }
            let before = bench.loop.registeredCount
            let deadline = bench.loop.now + TCPConnector.headStart + 50
            await #expect(throws: SocketError.timedOut) {
                try await race(
                    [dead.address, dead.address], deadline: deadline, on: bench.loop)
            }
            #expect(bench.loop.now >= deadline)
            #expect(bench.loop.registeredCount == before)
        }
    }

    @Test func `lets the families take turns, each in the system's order`() throws {
        let addresses = try ["::1", "::2", "::3", "127.0.0.1", "127.0.0.2"].map {
            try #require(SocketAddress(numeric: $0, port: 1))
        }
        let hosts = TCPConnector.interleaved(addresses).map(\.hostText)
        #expect(hosts == ["::1", "127.0.0.1", "::2", "127.0.0.2", "::3"])
        #expect(TCPConnector.interleaved([]) == [])
    }

    private func race(
        _ addresses: [SocketAddress], deadline: Int64 = .max, on loop: EventLoop,
        by makeSocket: @escaping (Int32) throws(SocketError) -> Int32 = Descriptor.makeSocket
    ) async throws -> TCPStream {
        let outcome = Promise<Result<TCPStream, SocketError>>()
        let connector = TCPConnector(
            toAnyOf: addresses, deadline: deadline, on: loop, by: makeSocket
        ) { outcome.put($0) }
        defer { connector.cancel() }
        return try await outcome.value().get()
    }

    /// An address that answers nothing: its backlog is full.
    private struct DeadEnd {
        let address: SocketAddress
        private let listener: SilentListener
        private let held: [TCPStream]

        init(on loop: EventLoop) async throws {
            listener = try SilentListener()
            var held: [TCPStream] = []
            do {
                while true {
                    held.append(
                        try await connect(to: listener.port, on: loop, deadline: loop.now + 50))
                }
            } catch SocketError.timedOut {}
            self.held = held
            address = try #require(SocketAddress(numeric: "127.0.0.1", port: listener.port))
        }

        func close() {
            for stream in held { stream.reset() }
            listener.close()
        }
    }

    /// Listens and never accepts.
    private struct SilentListener {
        let descriptor: Int32
        let port: UInt16

        init() throws {
            let address = try #require(SocketAddress(numeric: "127.0.0.1", port: 0))
            descriptor = try Descriptor.makeSocket(address.family)
            port = try Descriptor.listen(descriptor, on: address, backlog: 0).port
        }

        func close() {
            Descriptor.close(descriptor)
        }
    }

    @Test func `reports nothing before it was returned`() async throws {
        try await onLoop { bench in
            let outcome = Promise<Result<TCPStream, SocketError>>()
            // No route: the system refuses at once, inside the call.
            let connector = TCPConnector(
                to: "255.255.255.255", port: 9, deadline: .never, on: bench.loop
            ) { outcome.put($0) }
            #expect(outcome.values.isEmpty)
            guard case .failure = try await outcome.value() else {
                Issue.record("connected to everybody")
                return
            }
            connector.cancel()
        }
    }

    enum Stage: CaseIterable { case resolving, connecting, connected }

    @Test(arguments: Stage.allCases)
    func `reports nothing after it was cancelled`(_ stage: Stage) async throws {
        try await onLoop { bench in
            let loop = bench.loop
            let accepted = Promise<TCPStream>()
            let listener = try TCPListener(on: loop) { accepted.put($0) }
            let outcome = Promise<Result<TCPStream, SocketError>>()
            let host = stage == .resolving ? "localhost" : "127.0.0.1"
            let connector = TCPConnector(
                to: host, port: listener.address.port, deadline: .never, on: loop
            ) { outcome.put($0) }
            if stage == .connected { _ = try await outcome.value() }
            connector.cancel()
            connector.cancel()
            // Another attempt goes its whole way: the cancelled one would have reported.
            _ = try await connect(to: listener.address.port, host: host, on: loop)
            #expect(outcome.values.count == (stage == .connected ? 1 : 0))
        }
    }
}
