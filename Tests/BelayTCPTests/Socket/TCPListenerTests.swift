import BelayCore
import Testing

@testable import BelayTCP

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

@Suite(.tags(.realTime), .timeLimit(.minutes(5)))
struct `A TCP listener` {
    @Test(arguments: ["127.0.0.1", "::1"])
    func `gets a port from the system and names it`(_ host: String) async throws {
        try await onLoop { bench in
            let accepted = Promise<TCPStream>()
            let listener = try TCPListener(host: host, on: bench.loop) { accepted.put($0) }
            #expect(listener.address.port > 0)
            #expect(listener.address.isLoopback)
            let client = try await connect(
                to: listener.address.port, host: host, on: bench.loop)
            #expect(client.peerAddress == listener.address)
            #expect(try await accepted.value().peerAddress == client.localAddress)
        }
    }

    @Test func `names address, port and cause when another one listens there`() async throws {
        try await onLoop { bench in
            let first = try TCPListener(on: bench.loop) { $0.reset() }
            let port = first.address.port
            let expected = ListenError(host: "127.0.0.1", port: port, cause: .addressInUse)
            #expect(throws: expected) {
                try TCPListener(port: port, on: bench.loop) { $0.reset() }
            }
            #expect(
                expected.description
                    == "cannot listen on 127.0.0.1:\(port): another program listens there")
        }
    }

    @Test(
        arguments: [
            ("localhost", nil, "localhost is no IPv4 or IPv6 address"),
            (
                "192.0.2.1", .addressNotAvailable,
                "cannot listen on 192.0.2.1:0: the address is none of this machine's"
            ),
        ] as [(String, SocketError?, String)])
    func `names what is wrong with an address`(
        _ host: String, _ cause: SocketError?, _ line: String
    ) async throws {
        try await onLoop { bench in
            let expected = ListenError(host: host, port: 0, cause: cause)
            #expect(throws: expected) {
                try TCPListener(host: host, on: bench.loop) { $0.reset() }
            }
            #expect(expected.description == line)
        }
    }

    @Test func `refuses connections once it is closed, and keeps those it had`() async throws {
        try await onLoop { bench in
            let accepted = Promise<TCPStream>()
            let listener = try TCPListener(on: bench.loop) { accepted.put($0) }
            let port = listener.address.port
            let client = RecordedStream(try await connect(to: port, on: bench.loop))
            let server = RecordedStream(try await accepted.value())
            listener.close()
            listener.close()
            await #expect(throws: SocketError.refused) {
                try await connect(to: port, on: bench.loop)
            }
            server.stream.write([1])
            try await client.events.wait(until: { client.events.receivedCount == 1 })
        }
    }

    @Test(arguments: PollerKind.allCases)
    func `leaves no connection behind after 1000`(_ kind: PollerKind) async throws {
        try await onLoop(kind) { bench in
            try await openAndClose(1_000, on: bench.loop)
            #expect(bench.loop.registeredCount == 0)
        }
    }

    private func openAndClose(_ count: Int, on loop: EventLoop) async throws {
        for number in 0..<count {
            let pair = try await RecordedPair(on: loop)
            if number % 4 == 0 {
                pair.client.stream.reset()
            } else {
                pair.client.stream.close()
                try await pair.server.events.wait(until: { pair.server.events.hasEnded })
                pair.server.stream.close()
                try await pair.client.events.wait(until: { !pair.client.events.closings.isEmpty })
            }
            try await pair.server.events.wait(until: { !pair.server.events.closings.isEmpty })
        }
    }

    @Test func `gives every descriptor back to the system`() async throws {
        // A process of its own: other tests open descriptors meanwhile.
        await #expect(processExitsWith: .success) {
            let suite = `A TCP listener`()
            func round() async throws {
                try await onLoop { bench in
                    try await suite.openAndClose(50, on: bench.loop)
                    // Left open: the loop's end closes it.
                    _ = try await RecordedPair(on: bench.loop)
                }
            }
            try await round()
            let before = suite.openDescriptorCount
            for _ in 0..<20 { try await round() }
            // The runtime opens a few of its own when it likes; one lost a round would be twenty.
            #expect(suite.openDescriptorCount < before + 10)
        }
    }

    private var openDescriptorCount: Int {
        (0..<4_096).count { fcntl($0, F_GETFD) >= 0 }
    }

    #if os(Linux)
        @Test func `rests when no descriptor is left, and accepts when one is`() async throws {
            await #expect(processExitsWith: .success) {
                try await onLoop { bench in
                    let accepted = Promise<TCPStream>()
                    let listener = try TCPListener(on: bench.loop) { accepted.put($0) }
                    let client = RecordedStream(
                        try await connect(to: listener.address.port, on: bench.loop))
                    let server = RecordedStream(try await accepted.value())
                    // The next client has its socket; the kernel lets it in, and we cannot.
                    let second = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
                    let famine = DescriptorFamine()
                    let result = listener.address.withRaw { connect(second, $0, $1) }
                    try #require(result == 0)
                    // The loop has looked at its listener before it says the second of two words.
                    for count in 1...2 {
                        client.stream.write([0x2E])
                        try await server.events.wait(until: { server.events.receivedCount == count }
                        )
                    }
                    #expect(accepted.values.count == 1)
                    famine.end()
                    try await accepted.wait(until: { accepted.values.count == 2 })
                    client.stream.reset()
                    close(second)
                }
            }
        }
    #endif
}
