import Foundation
import Synchronization

/// A raw server of one connection that writes events as fast as its socket takes them, and counts
/// what it took.
final class FloodingPeer: Sendable {
    struct Failed: Error {}

    private struct State {
        var connection: Int32 = -1
        /// What is still to be written, as a place in all that is said.
        var written = 0
    }

    let port: UInt16
    private let listener: Int32
    private let text: [UInt8]
    private let state = Mutex(State())
    /// Blocking calls stay off the pool that runs the test's tasks.
    private let queue = DispatchQueue(label: "flooding peer")

    /// Says `events` events of `bytes` bytes of data, with ids from 1.
    init(events: Int, bytes: Int) throws {
        var text = Array(
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n".utf8)
        text.reserveCapacity(events * (bytes + 32))
        for id in 1...events {
            text += Array("id: \(id)\ndata: ".utf8)
            text += [UInt8](repeating: UInt8(ascii: "x"), count: bytes)
            text += Array("\n\n".utf8)
        }
        self.text = text
        #if canImport(Glibc)
            listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            listener = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isListening = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isListening else { throw Failed() }
        port = UInt16(bigEndian: address.sin_port)
        queue.async { self.acceptAndBegin() }
    }

    deinit {
        close(listener)
        let connection = state.withLock { $0.connection }
        if connection >= 0 { close(connection) }
    }

    /// Takes the client, and says the first event, which it is to hold.
    private func acceptAndBegin() {
        // Whoever waits for this queue shall not wait for ever where no client comes.
        guard Self.isReady(listener, POLLIN, within: 60_000) else { return }
        let connection = accept(listener, nil, nil)
        state.withLock { $0.connection = connection }
        guard Self.isReady(connection, POLLIN, within: 60_000) else { return }
        var request = [UInt8](repeating: 0, count: 4_096)
        _ = read(connection, &request, request.count)
        _ = fcntl(connection, F_SETFL, fcntl(connection, F_GETFL) | O_NONBLOCK)
        while write(), state.withLock({ $0.written }) < text.count / 50 {}
    }

    /// Writes until the socket has taken nothing for two seconds; answers how much it took in all.
    ///
    /// A peer that nobody holds back is never refused for so long.
    func writeUntilNothingMoves() async -> Int {
        await onQueue {
            while self.isWritable(within: 2_000), self.write() {}
            return self.state.withLock { $0.written }
        }
    }

    /// Writes what is left, however long it takes.
    func writeTheRest() async {
        await onQueue { while self.isWritable(within: 60_000), self.write() {} }
    }

    private func isWritable(within milliseconds: Int32) -> Bool {
        Self.isReady(state.withLock { $0.connection }, POLLOUT, within: milliseconds)
    }

    private static func isReady(
        _ descriptor: Int32, _ event: Int32, within milliseconds: Int32
    ) -> Bool {
        var ready = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        return poll(&ready, 1, milliseconds) > 0
    }

    /// Whether there is more to write, and a connection to write to.
    private func write() -> Bool {
        state.withLock { state in
            let rest = text[state.written...]
            let count = rest.withUnsafeBytes {
                send(state.connection, $0.baseAddress, min($0.count, 1 << 16), Self.flags)
            }
            guard count > 0 else { return errno == EAGAIN }
            state.written += count
            return state.written < text.count
        }
    }

    #if canImport(Glibc)
        private static let flags = Int32(MSG_NOSIGNAL)
    #else
        private static let flags: Int32 = 0
    #endif

    private func onQueue<Value: Sendable>(
        _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}
