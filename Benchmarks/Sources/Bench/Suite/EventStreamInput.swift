import BelayTesting

/// A seeded event stream of one kind, the same for the same seed.
struct EventStreamInput {
    /// What the events are like.
    enum Mix: String, CaseIterable {
        /// Like those of chat and of language models: an id, each third a type, 120 to 600 bytes
        /// of JSON-like data with some non-ASCII text over one to three lines, rare comments.
        case chat
        /// One short line of data each, ASCII.
        case dataOnly = "data only"
        /// The same with a type.
        case named
        /// The same with an id.
        case identified
        /// One line of data, most of it not ASCII.
        case multibyte
        /// Nine comments for one event.
        case comments
        /// A hundred signs of life for one event.
        case idle
        /// Nine lines that are no field for one event.
        case invalid = "invalid lines"
        /// Forty lines of data each.
        case multiLine = "many lines"
    }

    private(set) var bytes: [UInt8] = []
    private(set) var eventCount = 0

    private let lineEnd: [UInt8]
    private var generator = SeededGenerator(seed: 7)

    private static let latin = [
        "order", "accepted", "queued", "building", "finished", "stream", "connection", "the",
        "of", "and", "is", "done", "time", "value", "error", "token", "message", "a", "user",
        "in", "to", "session", "delta", "content", "with", "for",
    ].map { Array($0.utf8) }
    private static let other = ["café", "größer", "naïve", "日本語", "привет", "🚀"].map {
        Array($0.utf8)
    }
    private static let mixed = latin + other[..<4]

    /// About `byteCount` bytes of whole events.
    init(_ mix: Mix, byteCount: Int, lineEnd: String = "\n") {
        self.lineEnd = Array(lineEnd.utf8)
        bytes.reserveCapacity(byteCount + 4_096)
        while bytes.count < byteCount { appendEvent(mix) }
    }

    /// One event whose data is a single line of `byteCount` bytes.
    static func oneLine(byteCount: Int) -> [UInt8] {
        Array("data: ".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: byteCount)
            + Array("\n\n".utf8)
    }

    private mutating func appendEvent(_ mix: Mix) {
        eventCount += 1
        switch mix {
        case .chat:
            appendLine("id: \(eventCount)")
            if eventCount % 3 == 0 { appendLine("event: update") }
            let lineCount = Int.random(in: 1...3, using: &generator)
            let dataBytes = Int.random(in: 120...600, using: &generator)
            for _ in 0..<lineCount { appendData(of: Self.mixed, bytes: dataBytes / lineCount - 40) }
            if eventCount % 50 == 0 { appendLine(": still here") }
        case .dataOnly:
            appendData(of: Self.latin, bytes: 60)
        case .named:
            appendLine("event: update")
            appendData(of: Self.latin, bytes: 60)
        case .identified:
            appendLine("id: \(1_700_000_000_000 + eventCount)-0")
            appendData(of: Self.latin, bytes: 60)
        case .multibyte:
            appendData(of: Self.other, bytes: 200)
        case .comments:
            for _ in 0..<9 { appendLine(": still here") }
            appendData(of: Self.latin, bytes: 60)
        case .idle:
            for _ in 0..<100 {
                appendLine(":")
                appendLine("")
            }
            appendData(of: Self.latin, bytes: 60)
        case .invalid:
            for _ in 0..<9 { appendLine("status: accepted") }
            appendData(of: Self.latin, bytes: 60)
        case .multiLine:
            for _ in 0..<40 { appendData(of: Self.latin, bytes: 40) }
        }
        appendLine("")
    }

    private mutating func appendData(of words: [[UInt8]], bytes count: Int) {
        append("data: {\"sequence\":\(eventCount),\"text\":\"")
        let end = bytes.count + count
        while bytes.count < end {
            bytes += words[Int.random(in: words.indices, using: &generator)]
            bytes.append(UInt8(ascii: " "))
        }
        appendLine("\"}")
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func appendLine(_ text: String) {
        append(text)
        bytes += lineEnd
    }
}
