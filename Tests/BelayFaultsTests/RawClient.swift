import BelayWire
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A blocking socket: it reads what is on the wire and knows no protocol.
final class RawClient: Sendable {
    enum End: Hashable {
        case fin
        case reset
        /// Nothing came for the time that was given.
        case silence
    }
    struct Failure: Error {
        let code: Int32
    }

    private let descriptor: Int32
    private let isOpen = Atomic(true)
    /// The system tells of an RST once: a send that hears it takes it from the next receive.
    private let sendHeardReset = Atomic(false)

    /// Connects to this port, by default of 127.0.0.1.
    init(_ port: UInt16, host: UInt32 = 0x7F00_0001) throws(Failure) {
        #if os(Linux)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw Failure(code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = host.bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Failure(code: errno) }
    }

    deinit {
        close()
    }

    func send(_ text: String) {
        send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                #if os(Linux)
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                #else
                    Darwin.send(descriptor, $0.baseAddress, $0.count, 0)
                #endif
            }
            guard count > 0 else {
                if errno == ECONNRESET { sendHeardReset.store(true, ordering: .relaxed) }
                return
            }
            rest.removeFirst(count)
        }
    }

    /// Sends what the system takes at once; answers how many bytes.
    func sendNow(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBytes {
            #if os(Linux)
                let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
                return max(0, Glibc.send(descriptor, $0.baseAddress, $0.count, flags))
            #else
                return max(0, Darwin.send(descriptor, $0.baseAddress, $0.count, MSG_DONTWAIT))
            #endif
        }
    }

    /// Everything until the end, or until nothing came for so long.
    func receiveAll(silenceAfter milliseconds: Int = 10_000) -> (bytes: [UInt8], end: End) {
        var all: [UInt8] = []
        while true {
            switch receive(milliseconds) {
            case .success(let bytes) where bytes.isEmpty:
                return (all, sendHeardReset.load(ordering: .relaxed) ? .reset : .fin)
            case .success(let bytes): all += bytes
            case .failure(let failure):
                return (all, failure.code == ECONNRESET ? .reset : .silence)
            }
        }
    }

    /// At least so many bytes, less only at the end.
    func receive(atLeast count: Int) -> [UInt8] {
        var all: [UInt8] = []
        while all.count < count, case .success(let bytes) = receive(10_000), !bytes.isEmpty {
            all += bytes
        }
        return all
    }

    /// Everything up to and with the empty line.
    func receiveHead() -> String {
        var all: [UInt8] = []
        while !all.suffix(4).elementsEqual("\r\n\r\n".utf8),
            case .success(let bytes) = receive(10_000, limit: 1), !bytes.isEmpty
        {
            all += bytes
        }
        return String(decoding: all, as: UTF8.self)
    }

    /// What one call of the system gives.
    func receive(_ milliseconds: Int, limit: Int = 65_536) -> Result<[UInt8], Failure> {
        var time = timeval()
        time.tv_sec = milliseconds / 1_000
        time.tv_usec = .init(milliseconds % 1_000 * 1_000)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &bytes, limit, 0)
        guard count >= 0 else { return .failure(Failure(code: errno)) }
        return .success(Array(bytes[..<count]))
    }

    func shutdownWriting() {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    func close() {
        guard isOpen.exchange(false, ordering: .relaxed) else { return }
        close(descriptor)
    }

    /// Closes with RST.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    private func close(_ descriptor: Int32) {
        #if canImport(Darwin)
            _ = Darwin.close(descriptor)
        #else
            _ = Glibc.close(descriptor)
        #endif
    }
}

/// What the tests say over it.
extension RawClient {
    func get(_ target: String, _ fields: String...) {
        let lines = ["GET \(target) HTTP/1.1", "Host: test"] + fields
        send(lines.joined(separator: "\r\n") + "\r\n\r\n")
    }

    /// The head and the body of the response, and how it ended.
    func response(silenceAfter milliseconds: Int = 10_000) -> (head: String, body: String, end: End)
    {
        let (bytes, end) = receiveAll(silenceAfter: milliseconds)
        let text = String(decoding: bytes, as: UTF8.self)
        guard let blank = text.firstRange(of: "\r\n\r\n") else { return (text, "", end) }
        return (String(text[..<blank.upperBound]), String(text[blank.upperBound...]), end)
    }

    /// The opening handshake; answers the head of the response.
    @discardableResult
    func openWebSocket(_ target: String = "/ws") -> String {
        get(
            target, "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")
        return receiveHead()
    }

    /// A masked frame, as clients send it.
    func sendFrame(_ opcode: Opcode, _ payload: [UInt8] = [], isFinal: Bool = true) {
        var bytes: [UInt8] = []
        let frame = Frame(opcode, payload, isFinal: isFinal)
        FrameEncoder.append(frame, maskedWith: MaskingKey(1, 2, 3, 4), to: &bytes)
        send(bytes)
    }

    func sendFrame(_ opcode: Opcode, _ text: String) {
        sendFrame(opcode, Array(text.utf8))
    }

    /// The next frame, byte by byte, so that nothing behind it is taken.
    func receiveFrame() throws -> Frame? {
        var decoder = FrameDecoder(role: .client)
        while case .success(let bytes) = receive(10_000, limit: 1), !bytes.isEmpty {
            var frames: [Frame] = []
            try decoder.append(bytes, into: &frames)
            if let frame = frames.first { return frame }
        }
        return nil
    }
}
