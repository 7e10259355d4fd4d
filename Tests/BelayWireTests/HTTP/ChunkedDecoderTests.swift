import BelayWire
import Testing

@Suite struct `The chunked decoder` {
    struct Outcome: Equatable, Sendable {
        var body = ""
        var rest = ""
        var isComplete = false
        var error: ChunkedError?

        init(_ body: String, rest: String = "", isComplete: Bool) {
            self.body = body
            self.rest = rest
            self.isComplete = isComplete
        }

        init(_ body: String, _ fault: ChunkedError.Fault, at offset: UInt64) {
            self.body = body
            error = ChunkedError(fault, offset: offset)
        }

        init(of chunks: [[UInt8]]) {
            var decoder = ChunkedDecoder()
            var bytes: [UInt8] = []
            var rest: [UInt8] = []
            for chunk in chunks where error == nil {
                do {
                    let consumed = try decoder.append(chunk, into: &bytes)
                    rest += chunk[consumed...]
                } catch {
                    self.error = error
                }
            }
            body = String(decoding: bytes, as: UTF8.self)
            self.rest = String(decoding: rest, as: UTF8.self)
            isComplete = decoder.isComplete
        }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let text: String
        let outcome: Outcome
        var testDescription: String { String(text.prefix(40)).debugDescription }

        init(_ text: String, _ outcome: Outcome) {
            self.text = text
            self.outcome = outcome
        }
    }

    static let extensionBytes = String(repeating: "x", count: ChunkedDecoder.maximumLineBytes)
    static let trailerBytes = String(repeating: "x", count: ChunkedDecoder.maximumTrailerBytes)

    @Test(arguments: [
        Case("", Outcome("", isComplete: false)),
        Case("0\r\n\r\n", Outcome("", isComplete: true)),
        Case("5\r\nhello\r\n0\r\n\r\n", Outcome("hello", isComplete: true)),
        Case(
            "a\r\n0123456789\r\n0B \r\n0123456789a\r\n00\r\n\r\nrest",
            Outcome("01234567890123456789a", rest: "rest", isComplete: true)),
        Case(
            "1;a=\"b\"\r\nx\r\n0;last\r\nTrailer: 1\r\nOther: 2\r\n\r\n0",
            Outcome("x", rest: "0", isComplete: true)),
        Case("2\r\n\r\n\r\n1\r\n\n\r\n", Outcome("\r\n\n", isComplete: false)),
        Case("5\r\nhel", Outcome("hel", isComplete: false)),
        Case("5\r\nhello\r\n0\r\n", Outcome("hello", isComplete: false)),
        Case("\r\n", Outcome("", .malformedSize, at: 0)),
        Case("g\r\n", Outcome("", .malformedSize, at: 0)),
        Case("-1\r\n", Outcome("", .malformedSize, at: 0)),
        Case("0x1\r\n", Outcome("", .malformedSize, at: 1)),
        Case("1\nx\r\n", Outcome("", .malformedSize, at: 1)),
        Case("1\rx", Outcome("", .malformedLineEnd, at: 2)),
        Case("1\r\nxy\r\n", Outcome("x", .malformedLineEnd, at: 4)),
        Case("1\r\nx\r\r", Outcome("x", .malformedLineEnd, at: 5)),
        Case("0\r\n\rx", Outcome("", .malformedLineEnd, at: 4)),
        Case("fffffffffffffffff\r\n", Outcome("", .sizeTooLarge, at: 16)),
        Case("10000000000000000\r\n", Outcome("", .sizeTooLarge, at: 16)),
        Case("1;" + extensionBytes, Outcome("", .overheadTooLong(maximum: 256), at: 256)),
        Case("0\r\nA: b\r", Outcome("", isComplete: false)),
    ])
    func `says the same for every chunking`(_ test: Case) {
        let disagreements = disagreements(of: [UInt8](test.text), with: test.outcome) {
            Outcome(of: $0)
        }
        #expect(disagreements == [])
    }

    @Test(arguments: RandomInput.seeds)
    func `says the same of random chunks however they are cut`(_ seed: UInt64) {
        let pieces = [
            "0", "1", "2", "a", "\r\n", "\r\n", "\r", "\n", ";x", "x", "0\r\n\r\n", "3\r\nabc\r\n",
        ].map { [UInt8]($0) }
        let disagreements = RandomInput(seed: seed, pieces: pieces).disagreements {
            Outcome(of: $0)
        }
        #expect(disagreements == [])
    }

    @Test func `reads no endless trailer and no endless row of zeros`() {
        let trailer = Outcome(of: [[UInt8]("0\r\n" + Self.trailerBytes + "x")])
        #expect(trailer.error?.fault == .overheadTooLong(maximum: 16 << 10))
        let zeros = Outcome(of: [[UInt8](repeating: 0x30, count: 1000)])
        #expect(zeros.error?.fault == .overheadTooLong(maximum: 256))
    }

    @Test func `repeats its error`() {
        var decoder = ChunkedDecoder()
        var body: [UInt8] = []
        let error = ChunkedError(.malformedSize, offset: 0)
        #expect(throws: error) { try decoder.append([UInt8]("g"), into: &body) }
        #expect(throws: error) { try decoder.append([UInt8]("0\r\n\r\n"), into: &body) }
    }
}
