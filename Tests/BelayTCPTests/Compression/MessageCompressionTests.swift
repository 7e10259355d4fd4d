import BelayTCP
import BelayWire
import Testing

@Suite struct `Message compression` {
    typealias Sender = PermessageDeflate.Sender

    /// Both sides of one agreement. By default all is compressed, however short.
    struct Pair {
        let client: MessageCompression
        let server: MessageCompression

        init(_ sender: Sender = Sender(), shortestMessage: Int = 1) {
            let agreement = PermessageDeflate(server: sender, client: sender)
            let policy = PermessageDeflate.Policy(own: sender, shortestMessage: shortestMessage)
            client = MessageCompression(agreement, role: .client, policy: policy)
            server = MessageCompression(agreement, role: .server, policy: policy)
        }

        func compressed(_ message: [UInt8]) throws -> [UInt8] {
            try #require(message.withUnsafeBytes { client.deflate($0) })
        }

        func inflated(
            _ payload: [UInt8], kind: AssembledMessage.Kind = .binary, limit: Int = 1 << 20
        ) -> Result<AssembledMessage, WebSocketViolation.Fault> {
            let message = AssembledMessage(kind: kind, payload: payload, isCompressed: true)
            return Result { () throws(WebSocketViolation.Fault) in
                try server.inflate(message, limit: limit)
            }
        }
    }

    struct Vector: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The messages, one after the other, and what each of them says.
        let messages: [(hex: String, text: String)]
    }

    /// Source: RFC 7692 §7.2.3.
    @Test(arguments: [
        Vector(testDescription: "one block", messages: [("f248cdc9c90700", "Hello")]),
        Vector(
            testDescription: "a shared window",
            messages: [("f248cdc9c90700", "Hello"), ("f200110000", "Hello")]),
        Vector(
            testDescription: "a block without compression",
            messages: [("000500faff48656c6c6f00", "Hello")]),
        Vector(testDescription: "a last block", messages: [("f348cdc9c9070000", "Hello")]),
        Vector(
            testDescription: "a shared window over a last block",
            messages: [("f348cdc9c9070000", "Hello"), ("f200110000", "Hello")]),
        Vector(testDescription: "two blocks", messages: [("f24805000000ffffcac9c90700", "Hello")]),
        Vector(testDescription: "an empty message", messages: [("00", ""), ("00", "")]),
    ])
    func `inflates the RFC's examples`(_ test: Vector) throws {
        let pair = Pair()
        for message in test.messages {
            let inflated = try pair.inflated([UInt8](hex: message.hex), kind: .text).get()
            #expect(inflated.text == message.text)
        }
    }

    @Test func `compresses as in the RFC's example of a shared window`() throws {
        let pair = Pair()
        #expect(try pair.compressed(Array("Hello".utf8)) == [UInt8](hex: "f248cdc9c90700"))
        #expect(try pair.compressed(Array("Hello".utf8)) == [UInt8](hex: "f200110000"))
    }

    @Test func `begins each message anew without context takeover`() throws {
        let pair = Pair(Sender(takeover: .none))
        for _ in 1...2 {
            #expect(try pair.compressed(Array("Hello".utf8)) == [UInt8](hex: "f248cdc9c90700"))
            let inflated = try pair.inflated([UInt8](hex: "f248cdc9c90700"), kind: .text).get()
            #expect(inflated.text == "Hello")
        }
        #expect(pair.inflated([UInt8](hex: "f200110000")) == .failure(.compressedDataMalformed))
    }

    struct Agreed: CustomTestStringConvertible, Sendable {
        let sender: Sender
        var testDescription: String { "\(sender.windowBits) bits, takeover \(sender.takeover)" }

        static let all = (8...15).flatMap { bits in
            [PermessageDeflate.ContextTakeover.allowed, .none].map { takeover in
                Agreed(sender: Sender(windowBits: bits, takeover: takeover))
            }
        }
    }

    @Test(arguments: Agreed.all)
    func `inflates what it compressed, in every window`(_ test: Agreed) throws {
        let pair = Pair(test.sender)
        // Words that come again nearer and farther than any window, and lengths around its steps.
        let words = (0..<20_000).flatMap { Array("\($0 * 7_919 % 1_009) ".utf8) }
        for count in [0, 1, 255, 256, 257, 16_383, 16_384, 16_385, words.count] where count > 0 {
            let message = Array(words[..<count])
            let inflated = try pair.inflated(pair.compressed(message)).get()
            #expect(inflated.payload == message)
            #expect(!inflated.isCompressed)
        }
    }

    @Test func `sends what is too short as it is`() {
        let pair = Pair(shortestMessage: 64)
        let message = [UInt8](repeating: 0, count: 64)
        #expect(message[1...].withUnsafeBytes { pair.client.deflate($0) } == nil)
        #expect(message.withUnsafeBytes { pair.client.deflate($0) } != nil)
    }

    // E13 of the public bug reports.
    @Test func `stops at the limit in the midst of a decompression bomb`() throws {
        let pair = Pair()
        let bomb = try pair.compressed([UInt8](repeating: 0, count: 64 << 20))
        #expect(bomb.count < 100_000)
        // No block at all behind it: whoever inflates it whole sees that, and not the limit.
        let bait = bomb + [0x00, 0x00, 0xFF, 0xFF, 0xFF]
        #expect(
            pair.inflated(bait, limit: 1 << 20) == .failure(.messageTooLong(maximum: 1 << 20)))
    }

    @Test(arguments: [(100, true), (99, false)])
    func `takes a message as long as the limit and none that is longer`(
        limit: Int, isTaken: Bool
    ) throws {
        let pair = Pair()
        let payload = try pair.compressed([UInt8](repeating: 7, count: 100))
        let outcome = pair.inflated(payload, limit: limit)
        if isTaken {
            #expect(try outcome.get().payload.count == limit)
        } else {
            #expect(outcome == .failure(.messageTooLong(maximum: limit)))
        }
    }

    @Test(arguments: [
        "ff",  // A block type that there is not.
        "f248cd",  // Cut inside its block.
        "000500fafe48656c6c6f00",  // A stored block whose lengths do not agree.
        "f200110000",  // Refers back to what never came.
        "f348cdc9c90700",  // Nothing behind a last block: the tail is none then.
    ])
    func `calls malformed what is no DEFLATE data`(_ hex: String) {
        #expect(Pair().inflated([UInt8](hex: hex)) == .failure(.compressedDataMalformed))
    }

    @Test func `makes of each message with one wrong bit a fault or a message in the limit`() throws
    {
        let words = (0..<100).flatMap { Array("\($0 * 79 % 23) ".utf8) }
        let payload = try Pair().compressed(words)
        let limit = words.count + 10
        var (messages, faults) = ([Int](), Set<WebSocketViolation.Fault>())
        for bit in 0..<(payload.count * 8) {
            var damaged = payload
            damaged[bit / 8] ^= 1 << (bit % 8)
            switch Pair().inflated(damaged, limit: limit) {
            case .success(let message): messages.append(message.payload.count)
            case .failure(let fault): faults.insert(fault)
            }
        }
        // Some bits are a literal's, and the message is another.
        #expect(messages.count > 0 && messages.allSatisfy { $0 <= limit })
        #expect(faults == [.compressedDataMalformed, .messageTooLong(maximum: limit)])
    }

    @Test(arguments: ["ff", "61c3", "eda080"])
    func `judges a text after inflating it`(_ hex: String) throws {
        let pair = Pair()
        let payload = try pair.compressed([UInt8](hex: hex))
        #expect(pair.inflated(payload, kind: .text) == .failure(.textNotUTF8))
        // The same bytes are a binary message.
        #expect(try Pair().inflated(payload).get().payload == [UInt8](hex: hex))
    }

    @Test func `leaves a message alone that was not compressed`() throws {
        let message = AssembledMessage("plain")
        #expect(try Pair().server.inflate(message, limit: 1) == message)
    }
}
