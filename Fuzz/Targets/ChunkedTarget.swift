import BelayWire

/// Bodies in chunks, against a second reading that sees the whole body at once.
enum ChunkedTarget: FuzzTarget {
    static let name = "chunked"

    static let seeds: [[UInt8]] = [
        FuzzInput.seed("5\r\nhello\r\n0\r\n\r\n"),
        FuzzInput.seed("5;name=value\r\nhello\r\n1 \r\n!\r\n00\r\nTrailer: x\r\n\r\nrest"),
        FuzzInput.seed("A\r\n0123456789\r\nfFfFfFfFfFfFfFfF\r\n"),
        FuzzInput.seed("0\r\n\r\n"),
        FuzzInput.seed("1\r\nx\r\n2\r\nyz\r\n0\r\na\r\nb\r\n\r\n", cutBy: [0, 1, 7]),
        FuzzInput.seed("3\nabc\n"),
    ]

    private struct Outcome: Equatable {
        var body: [UInt8] = []
        var taken = 0
        var isComplete = false
        var error: ChunkedError?
    }

    static func judge(_ input: [UInt8]) {
        let input = FuzzInput(input)
        let whole = outcome(of: [input.bytes])
        for chunks in input.chunkings {
            agree(outcome(of: chunks), whole, "the body depends on the chunking")
        }
        hold(whole.body.count <= input.bytes.count, "more body than bytes")
        hold(!whole.isComplete || whole.error == nil, "complete and at fault")
        let readAtOnce = wholeBody(in: input.bytes)
        if whole.isComplete {
            agree(readAtOnce?.body, whole.body, "a second reading differs in the body")
            agree(readAtOnce?.count, whole.taken, "a second reading differs in the end")
        } else if case .overheadTooLong = whole.error?.fault {
            // A limit of ours, which the second reading does not have.
        } else {
            hold(readAtOnce == nil, "a whole body is not taken: \(whole)")
        }
        checkEncoding(of: input)
    }

    private static func outcome(of chunks: [[UInt8]]) -> Outcome {
        var decoder = HTTPBodyDecoder(.chunked)
        var outcome = Outcome()
        for chunk in chunks {
            let before = outcome
            do throws(ChunkedError) {
                let taken = try decoder.append(chunk, into: &outcome.body)
                hold(outcome.error == nil, "a spent decoder reads on")
                hold(taken == chunk.count || decoder.isComplete, "bytes of the body were left")
                outcome.taken += taken
            } catch {
                agree(outcome.error ?? error, error, "a spent decoder changes its mind")
                if before.error != nil { agree(outcome.body, before.body, "a spent decoder") }
                outcome.error = error
            }
        }
        outcome.isComplete = decoder.isComplete
        // Where it failed is known by the error; how much of that chunk was read is not told.
        if outcome.error != nil { outcome.taken = 0 }
        return outcome
    }

    /// RFC 9112 §7.1, read with all of the body at hand: nil if it is not whole, or not right.
    private static func wholeBody(in bytes: [UInt8]) -> (body: [UInt8], count: Int)? {
        var rest = bytes[...]
        var body: [UInt8] = []
        while true {
            guard let line = takeLine(from: &rest) else { return nil }
            let digits = line.prefix { isHexadecimal($0) }
            let behind = line.dropFirst(digits.count).first
            guard !digits.isEmpty, behind.map({ " \t;".utf8.contains($0) }) ?? true,
                let size = UInt64(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            if size == 0 { break }
            guard UInt64(rest.count) >= size else { return nil }
            body += rest.prefix(Int(size))
            rest = rest.dropFirst(Int(size))
            guard takeLine(from: &rest)?.isEmpty == true else { return nil }
        }
        while let trailer = takeLine(from: &rest) {
            if trailer.isEmpty { return (body, bytes.count - rest.count) }
        }
        return nil
    }

    /// A line up to its CRLF. A CR alone ends no line, and is no part of one.
    private static func takeLine(from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: 0x0D), rest.index(after: end) < rest.endIndex,
            rest[end + 1] == 0x0A
        else { return nil }
        defer { rest = rest[(end + 2)...] }
        return rest[..<end]
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        "0123456789abcdefABCDEF".utf8.contains(byte)
    }

    /// What the encoder writes is read back, and nothing behind it.
    private static func checkEncoding(of input: FuzzInput) {
        var encoded: [UInt8] = []
        for chunk in input.chunkings[0] { ChunkedEncoder.append(chunk, to: &encoded) }
        ChunkedEncoder.appendEnd(to: &encoded)
        let decoded = outcome(of: [encoded + input.bytes])
        hold(decoded.isComplete, "an encoded body does not end")
        agree(decoded.body, input.bytes, "an encoded body differs")
        agree(decoded.taken, encoded.count, "an encoded body ends elsewhere")
    }
}
