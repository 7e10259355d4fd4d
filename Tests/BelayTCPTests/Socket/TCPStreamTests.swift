import BelayCore
import BelayTransport
import Testing

@testable import BelayTCP

#if canImport(Darwin)
    import Darwin
    private let keepIdle = TCP_KEEPALIVE
#elseif canImport(Glibc)
    import Glibc
    private let keepIdle = TCP_KEEPIDLE
#endif
private let tcp = Int32(IPPROTO_TCP)

@Suite(.tags(.realTime), .timeLimit(.minutes(5)))
struct `A TCP stream` {
    private static let tinyBuffer: Int32 = 128 * 1_024

    @Test(arguments: PollerKind.allCases)
    func `carries bytes both ways`(_ kind: PollerKind) async throws {
        try await onLoop(kind) { bench in
            let pair = try await RecordedPair(on: bench.loop)
            pair.client.stream.write(Array("ping".utf8))
            try await pair.server.events.wait(until: { pair.server.events.text == "ping" })
            pair.server.stream.write(Array("pong".utf8))
            try await pair.client.events.wait(until: { pair.client.events.text == "pong" })
            #expect(pair.client.stream.peerAddress == pair.server.stream.localAddress)
        }
    }

    /// A stream that only listens would wait for ever behind a peer without FIN or RST.
    @Test func `has the system ask a peer that is silent for a minute`() async throws {
        try await onLoop { bench in
            let pair = try await RecordedPair(on: bench.loop)
            let descriptor = try #require(pair.client.stream.giveAway())
            defer { bench.loop.close(descriptor) }
            let options = [
                (SOL_SOCKET, SO_KEEPALIVE, 1), (tcp, keepIdle, 60), (tcp, TCP_KEEPINTVL, 15),
                (tcp, TCP_KEEPCNT, 4),
            ]
            for (level, name, expected) in options {
                var value: Int32 = 0
                var size = socklen_t(MemoryLayout<Int32>.size)
                getsockopt(descriptor, level, name, &value, &size)
                #expect(value == expected)
            }
        }
    }

    @Test func `sends what a turn wrote in one piece`() async throws {
        try await onLoop { bench in
            let pair = try await RecordedPair(on: bench.loop)
            var pieces: [Int] = []
            pair.server.events.onReceive = { _, bytes in pieces.append(bytes.count) }
            let end = (0..<100).map { _ in pair.client.stream.write([1, 2, 3]) }.last
            #expect(pair.client.events.given == 0)
            try await pair.server.events.wait(until: { pair.server.events.receivedCount == 300 })
            #expect(pieces == [300])
            #expect(end == 300)
            #expect(pair.client.events.given == 300)
        }
    }

    @Test(arguments: PollerKind.allCases)
    func `resumes 16 MiB at the offset where a tiny buffer stopped it`(
        _ kind: PollerKind
    ) async throws {
        let size = 16 * 1024 * 1024
        try await onLoop(kind) { bench in
            let pair = try await RecordedPair(on: bench.loop)
            pair.client.stream.limitSystemBuffer(to: Self.tinyBuffer)
            pair.server.events.keepsBytes = false
            var wrong = 0
            var offset = 0
            pair.server.events.onReceive = { _, bytes in
                for byte in bytes {
                    if byte != UInt8(truncatingIfNeeded: offset &* 31) { wrong += 1 }
                    offset += 1
                }
            }
            pair.client.stream.write(encodedBy: { output in
                for index in 0..<size { output.append(UInt8(truncatingIfNeeded: index &* 31)) }
            })
            // Not closed before: a busy machine may stand still for longer than a close waits.
            try await pair.server.events.wait(until: { offset >= size })
            pair.client.stream.close()
            try await pair.server.events.wait(until: { pair.server.events.hasEnded })
            pair.server.stream.close()
            try await pair.client.events.wait(until: { !pair.client.events.closings.isEmpty })
            #expect(offset == size)
            #expect(wrong == 0)
            #expect(pair.client.events.closings == [nil])
        }
    }

    @Test func `says when it is above the high water, and when it has drained`() async throws {
        try await onLoop { bench in
            let pair = try await RecordedPair(on: bench.loop)
            pair.client.stream.limitSystemBuffer(to: Self.tinyBuffer)
            pair.server.stream.setReading(.paused)
            pair.server.events.keepsBytes = false
            let bytes = [UInt8](repeating: 7, count: 12 * 1024 * 1024)
            pair.client.stream.write(bytes)
            #expect(!pair.client.stream.isWritable)
            try await pair.client.events.wait(until: { pair.client.events.given > 0 })
            #expect(pair.client.events.drainCount == 0)
            pair.server.stream.setReading(.flowing)
            try await pair.client.events.wait(until: { pair.client.events.drainCount == 1 })
            #expect(pair.client.stream.isWritable)
            try await pair.server.events.wait(
                until: { pair.server.events.receivedCount == bytes.count })
            #expect(pair.client.events.drainCount == 1)
        }
    }

    @Test func `fails when its owner does not heed the high water`() async throws {
        try await onLoop { bench in
            let pair = try await RecordedPair(on: bench.loop)
            pair.server.stream.setReading(.paused)
            let bytes = [UInt8](repeating: 7, count: TCPStream.outputLimit / 2)
            for _ in 0..<3 { pair.client.stream.write(bytes) }
            try await pair.client.events.wait(until: { !pair.client.events.closings.isEmpty })
            #expect(pair.client.events.closings == [.outputLimitExceeded])
        }
    }

    @Test(arguments: PollerKind.allCases)
    func `reads nothing while it is paused`(_ kind: PollerKind) async throws {
        try await onLoop(kind) { bench in
            let pair = try await RecordedPair(on: bench.loop)
            pair.server.stream.setReading(.paused)
            pair.client.stream.write([1])
            try await pair.client.events.wait(until: { pair.client.events.given == 1 })
            // A round trip on another connection: the byte would have been reported by then.
            let other = try await RecordedPair(on: bench.loop)
            other.client.stream.write([2])
            try await other.server.events.wait(until: { other.server.events.receivedCount == 1 })
            #expect(pair.server.events.receivedCount == 0)
            pair.server.stream.setReading(.flowing)
            try await pair.server.events.wait(until: { pair.server.events.receivedCount == 1 })
        }
    }

    @Test(arguments: PollerKind.allCases)
    func `goes on in one direction when the other has ended`(_ kind: PollerKind) async throws {
        try await onLoop(kind) { bench in
            let pair = try await RecordedPair(on: bench.loop)
            pair.client.stream.write(Array("last".utf8))
            pair.client.stream.shutdownWriting()
            try await pair.server.events.wait(until: { pair.server.events.hasEnded })
            #expect(pair.server.events.text == "last")
            #expect(pair.server.events.closings.isEmpty)
            pair.server.stream.write(Array("answer".utf8))
            try await pair.client.events.wait(until: { pair.client.events.text == "answer" })
            pair.server.stream.shutdownWriting()
            try await pair.client.events.wait(until: { !pair.client.events.closings.isEmpty })
            try await pair.server.events.wait(until: { !pair.server.events.closings.isEmpty })
            #expect(pair.client.events.closings == [nil])
            #expect(pair.server.events.closings == [nil])
        }
    }

    @Test(arguments: PollerKind.allCases)
    func `tells a reset from an end`(_ kind: PollerKind) async throws {
        try await onLoop(kind) { bench in
            for isClientFirst in [true, false] {
                let pair = try await RecordedPair(on: bench.loop)
                let (first, second) =
                    isClientFirst ? (pair.client, pair.server) : (pair.server, pair.client)
                first.stream.reset()
                try await second.events.wait(until: { !second.events.closings.isEmpty })
                #expect(second.events.closings == [.reset])
                #expect(!second.events.hasEnded)
                #expect(first.events.closings.isEmpty)
            }
        }
    }

    @Test func `closes in order over bytes that nobody reads any more`() async throws {
        try await onLoop { bench in
            let pair = try await RecordedPair(on: bench.loop)
            pair.server.stream.setReading(.paused)
            pair.client.stream.write([UInt8](repeating: 1, count: 100_000))
            try await pair.client.events.wait(until: { pair.client.events.given > 0 })
            pair.server.stream.write(Array("refused".utf8))
            pair.server.stream.close()
            try await pair.client.events.wait(until: { pair.client.events.hasEnded })
            #expect(pair.client.events.text == "refused")
            pair.client.stream.close()
            try await pair.server.events.wait(until: { !pair.server.events.closings.isEmpty })
            #expect(pair.server.events.closings == [nil])
            #expect(pair.server.events.receivedCount == 0)
        }
    }

    @Test func `leaves the end to its peer when it is asked to`() async throws {
        try await onLoop { bench in
            let pair = try await RecordedPair(on: bench.loop)
            let patience = bench.loop.now + TCPStream.closeTimeout
            pair.client.stream.write(Array("bye".utf8))
            pair.client.stream.close(.afterPeer)
            try await pair.server.events.wait(until: { pair.server.events.text == "bye" })
            #expect(!pair.server.events.hasEnded || bench.loop.now >= patience)
            pair.server.stream.close()
            try await pair.server.events.wait(until: { !pair.server.events.closings.isEmpty })
            #expect(pair.server.events.closings == [nil])
            try await pair.client.events.wait(until: { !pair.client.events.closings.isEmpty })
            #expect(pair.client.events.closings == [nil])
        }
    }

    @Test func `is dropped without a word to its owner, and with FIN to its peer`() async throws {
        try await onLoop { bench in
            let pair = try await RecordedPair(on: bench.loop)
            pair.client.stream.drop()
            pair.client.stream.drop()
            try await pair.server.events.wait(until: { pair.server.events.hasEnded })
            #expect(pair.server.events.closings.isEmpty)
            #expect(pair.client.events.closings.isEmpty)
        }
    }

    @Test func `does not wait for ever for a peer that never ends`() async throws {
        try await onLoop { bench in
            let pair = try await RecordedPair(on: bench.loop)
            let began = bench.loop.now
            pair.server.stream.close()
            try await pair.server.events.wait(until: { !pair.server.events.closings.isEmpty })
            #expect(bench.loop.now - began >= TCPStream.closeTimeout)
            #expect(pair.client.events.hasEnded)
        }
    }

    @Test func `ignores what is asked of it after its end`() async throws {
        try await onLoop { bench in
            let pair = try await RecordedPair(on: bench.loop)
            let stream = pair.client.stream
            stream.reset()
            stream.reset()
            stream.close()
            stream.shutdownWriting()
            stream.setReading(.flowing)
            stream.write([1])
            #expect(stream.unsentCount == 0)
            #expect(stream.localAddress == nil)
        }
    }

    @Test func `survives being reset from its own callback`() async throws {
        try await onLoop { bench in
            let pair = try await RecordedPair(on: bench.loop)
            pair.server.events.onReceive = { stream, _ in
                stream.write([1])
                stream.reset()
            }
            pair.client.stream.write([1])
            try await pair.client.events.wait(until: { !pair.client.events.closings.isEmpty })
            #expect(pair.server.events.closings.isEmpty)
        }
    }

    @Test(arguments: PollerKind.allCases)
    func `is not starved by connections that never stop sending`(
        _ kind: PollerKind
    ) async throws {
        try await onLoop(kind) { bench in
            let flood = [UInt8](repeating: 0, count: 1 << 20)
            var floods: [RecordedPair] = []
            for _ in 0..<8 {
                let pair = try await RecordedPair(on: bench.loop)
                pair.server.events.keepsBytes = false
                pair.client.stream.write(flood)
                pair.server.events.onReceive = { [client = pair.client.stream] _, _ in
                    if client.unsentCount < flood.count { client.write(flood) }
                }
                floods.append(pair)
            }
            let quiet = try await RecordedPair(on: bench.loop)
            quiet.server.events.onReceive = { stream, bytes in stream.write(bytes) }
            var rounds: [Int] = []
            for round in 1...50 {
                let before = floods.map(\.server.events.receivedCount)
                quiet.client.stream.write([1])
                try await quiet.client.events.wait(
                    until: { quiet.client.events.receivedCount == round })
                let flooded = zip(floods, before).map { $0.server.events.receivedCount - $1 }
                rounds.append(flooded.max() ?? 0)
            }
            // A round trip takes some turns, and a turn at most one budget of each flood. Served to
            // its end, a flood would never let the quiet one in. The system may hold a packet back
            // for long on a busy machine, so half of the rounds may take any number of turns.
            #expect(rounds.sorted()[rounds.count / 2] <= 256 * EventLoop.receiveBudget)
            for pair in floods { pair.server.events.onReceive = nil }
        }
    }

    @Test func `serves many connections alike`() async throws {
        try await onLoop { bench in
            var pairs: [RecordedPair] = []
            for _ in 0..<200 {
                let pair = try await RecordedPair(on: bench.loop)
                pair.server.events.onReceive = { stream, bytes in stream.write(bytes) }
                pairs.append(pair)
            }
            for _ in 0..<20 {
                for pair in pairs { pair.client.stream.write([9, 9]) }
                let wanted = pairs[0].client.events.receivedCount + 2
                for pair in pairs {
                    let events = pair.client.events
                    try await events.wait(until: { events.receivedCount == wanted })
                }
            }
        }
    }
}
