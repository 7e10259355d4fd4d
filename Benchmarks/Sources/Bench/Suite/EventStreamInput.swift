import BelayTesting

/// An event stream like those of chat and of language models, the same for the same seed.
///
/// Each event has an id; each third a type; 120 to 600 bytes of JSON-like data with some non-ASCII
/// text over one, two or three lines. Each fiftieth is followed by a comment.
struct EventStreamInput {
    private(set) var bytes: [UInt8] = []
    private(set) var eventCount = 0

    private let lineEnd: [UInt8]
    private var generator = SeededGenerator(seed: 7)

    private static let words = [
        "order", "accepted", "queued", "building", "finished", "stream", "connection", "the",
        "of", "and", "is", "café", "größer", "naïve", "日本語", "done", "time", "value", "error",
        "token", "message", "a", "user", "in", "to", "session", "delta", "content", "with", "for",
    ].map { Array($0.utf8) }

    /// About `byteCount` bytes of whole events.
    init(byteCount: Int, lineEnd: String) {
        self.lineEnd = Array(lineEnd.utf8)
        bytes.reserveCapacity(byteCount + 1_024)
        while bytes.count < byteCount { appendEvent() }
    }

    /// One event whose data is a single line of `byteCount` bytes.
    static func oneLine(byteCount: Int) -> [UInt8] {
        Array("data: ".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: byteCount)
            + Array("\n\n".utf8)
    }

    private mutating func appendEvent() {
        eventCount += 1
        appendLine("id: \(eventCount)")
        if eventCount % 3 == 0 { appendLine("event: update") }
        let lineCount = Int.random(in: 1...3, using: &generator)
        let dataBytes = Int.random(in: 120...600, using: &generator)
        for line in 0..<lineCount {
            append("data: {\"sequence\":\(eventCount),\"line\":\(line),\"text\":\"")
            appendWords(until: bytes.count + dataBytes / lineCount - 40)
            appendLine("\"}")
        }
        appendLine("")
        if eventCount % 50 == 0 { appendLine(": still here") }
    }

    private mutating func appendWords(until end: Int) {
        while bytes.count < end {
            let word = Int(truncatingIfNeeded: generator.next() >> 32) % Self.words.count
            bytes += Self.words[word]
            bytes.append(UInt8(ascii: " "))
        }
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func appendLine(_ text: String) {
        append(text)
        bytes += lineEnd
    }
}
