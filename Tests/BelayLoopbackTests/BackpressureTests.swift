import Belay
import BelayFaults
import BelayTesting
import BelayTransport
import Foundation
import Synchronization
import Testing

/// A peer that would send more than a slow app takes, on a real socket.
@Suite(.timeLimit(.minutes(5))) struct `A slow app` {
    private static let eventBytes = 1 << 20
    private static let count = 100

    // E12
    @Test(arguments: [false, true])
    func `stops the peer at the sockets' buffers and the delivery limit`(
        byDeliveries: Bool
    ) async throws {
        let peer = try FloodingPeer(events: Self.count, bytes: Self.eventBytes)
        let feed = EventSource(url: try ConnectionURL("http://127.0.0.1:\(peer.port)/"))
        let hold = Hold()
        let task = Task {
            var ids: [String] = []
            if byDeliveries {
                for try await delivery in feed.deliveries {
                    if ids.isEmpty { try await hold.wait() }
                    ids.append(delivery.event.lastEventID)
                    try await delivery.commit()
                    if ids.count == Self.count { break }
                }
            } else {
                try await feed.process { event in
                    if ids.isEmpty { try await hold.wait() }
                    ids.append(event.lastEventID)
                    if ids.count == Self.count { feed.close() }
                }
            }
            return ids
        }
        try await hold.isWaitedFor()
        // The peer writes until nothing moves any more: 100 MiB would be through in a second.
        let written = await peer.writeUntilNothingMoves()
        // Buffers: at most 4 MiB for sending and 6 for receiving by Linux's defaults, doubled for
        // systems with more; then the delivery limit, and one event that stands half in a read.
        let limit = (16 << 20) + DeliveryLimit().bytes + 2 * Self.eventBytes
        #expect(written < limit)
        #expect(feed.ledger.cursor == nil)
        hold.release()
        await peer.writeTheRest()
        #expect(try await task.value == (1...Self.count).map(String.init))
    }

    #if os(Linux)
        /// In a process of its own: other tests would share its memory.
        // E12
        @Test func `keeps its memory flat while a hundred mebibytes wait for it`() async {
            await #expect(processExitsWith: .success) {
                let peer = try FloodingPeer(events: Self.count, bytes: Self.eventBytes)
                let feed = EventSource(url: try ConnectionURL("http://127.0.0.1:\(peer.port)/"))
                let hold = Hold()
                let task = Task {
                    try await feed.process { _ in
                        try await hold.wait()
                        feed.close()
                    }
                }
                try await hold.isWaitedFor()
                let before = try residentBytes()
                _ = await peer.writeUntilNothingMoves()
                let growth = try residentBytes() - before
                // What waits for delivery, what a read and its copies take, and what the
                // allocator keeps of it: a quarter of what the peer has to say, at most.
                #expect(growth < Self.count * Self.eventBytes / 4, "\(growth) bytes")
                hold.release()
                try await task.value
            }
        }
    #endif

    // E12
    @Test func `gets fifty thousand events at full speed, in order and each once`() async throws {
        let count = 50_000
        let endpoint = Endpoint(limits: EndpointLimits(recordEntries: 0))
        let port = try await endpoint.start()
        let feed = EventSource(
            url: try ConnectionURL("http://127.0.0.1:\(port)/events?count=\(count)&size=64"))
        var next = 1
        do {
            try await feed.process { event in
                #expect(event.lastEventID == String(next))
                next += 1
                if next > count { feed.close() }
            }
        } catch {
            await endpoint.stop()
            throw error
        }
        await endpoint.stop()
        #expect(next == count + 1)
    }
}

#if os(Linux)
    /// What the system counts as this process's memory. Source: proc_pid_status(5).
    private func residentBytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(Int(line.filter(\.isNumber))) << 10
    }
#endif

/// Holds a handler until the test lets it go.
private struct Hold: Sendable {
    private let held = Answer<Bool>()
    private let released = Answer<Bool>()

    /// For the handler.
    func wait() async throws {
        held.give(true)
        try await released.wait()
    }

    func isWaitedFor() async throws {
        try await held.wait()
    }

    func release() {
        released.give(true)
    }
}
