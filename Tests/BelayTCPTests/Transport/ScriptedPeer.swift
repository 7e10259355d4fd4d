import BelayTCP
import BelayTransport

/// A server that says what the test writes, byte by byte.
final class ScriptedPeer {
    private let listener: TCPListener
    private let accepted = Promise<TCPStream>()
    private var taken = 0

    init(on loop: EventLoop) throws {
        listener = try TCPListener(on: loop) { [accepted] in accepted.put($0) }
    }

    var port: UInt16 { listener.address.port }

    func url(_ scheme: String, _ target: String = "/") throws -> ConnectionURL {
        try ConnectionURL("\(scheme)://\(listener.address)\(target)")
    }

    /// The next connection, when its request head has come, and so many bytes behind it.
    func accept(behindHead count: Int = 0) async throws -> RecordedStream {
        let wanted = taken
        try await accepted.wait(until: { [accepted] in accepted.values.count > wanted })
        taken += 1
        let end = RecordedStream(accepted.values[wanted])
        try await end.events.wait(until: { end.hasHead && end.frames.count >= count })
        return end
    }
}

extension RecordedStream {
    /// Says `text` as it stands.
    func say(_ text: String) {
        stream.write(Array(text.utf8))
    }

    /// Says the bytes of hexadecimal digits, which may have spaces.
    func say(hex: String) {
        stream.write([UInt8](hex: hex))
    }

    /// Waits until what came behind the request head is as long as `hex`, and gives it.
    func frames(asLongAs hex: String) async throws -> [UInt8] {
        let count = [UInt8](hex: hex).count
        let head = headCount
        try await events.wait(until: { events.received.count >= head + count })
        return Array(events.received[head...])
    }

    /// Whether the whole request head has come.
    var hasHead: Bool { events.text.contains("\r\n\r\n") }

    /// What came behind the request head.
    var frames: [UInt8] { Array(events.received[headCount...]) }

    private var headCount: Int {
        let end = Array("\r\n\r\n".utf8)
        let bytes = events.received
        return bytes.indices.first { bytes[..<$0].suffix(4) == end[...] } ?? bytes.count
    }
}

extension [UInt8] {
    /// The bytes of hexadecimal digits; other characters are passed over.
    init(hex: String) {
        let digits = hex.compactMap(\.hexDigitValue)
        self = stride(from: 0, to: digits.count - 1, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }
}
