import BelayWire
import Testing

@Suite struct `The UTF-8 validator` {
    enum Verdict: Equatable, Sendable {
        case complete
        case unfinished
        /// Refused at the byte with this place.
        case refused(at: Int)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let hex: String
        let verdict: Verdict
        var testDescription: String { hex.isEmpty ? "nothing" : hex }

        init(_ hex: String, _ verdict: Verdict) {
            self.hex = hex
            self.verdict = verdict
        }
    }

    @Test(arguments: [
        Case("", .complete), Case("00", .complete), Case("7f", .complete),
        Case("6162636465666768 696a6b6c6d6e6f70", .complete),
        Case("c280", .complete), Case("dfbf", .complete), Case("e0a080", .complete),
        Case("ed9fbf", .complete), Case("ee8080", .complete), Case("efbfbf", .complete),
        Case("f0908080", .complete), Case("f48fbfbf", .complete), Case("f09f9880", .complete),
        Case("6162636465666768 c3a9 6162636465666768", .complete),
        Case("c3", .unfinished), Case("e282", .unfinished), Case("f09f98", .unfinished),
        Case("61c3", .unfinished),
        Case("80", .refused(at: 0)), Case("bf", .refused(at: 0)),
        Case("c080", .refused(at: 0)), Case("c1bf", .refused(at: 0)),
        Case("e08080", .refused(at: 1)), Case("e09fbf", .refused(at: 1)),
        Case("eda080", .refused(at: 1)), Case("edbfbf", .refused(at: 1)),
        Case("f0808080", .refused(at: 1)), Case("f08fbfbf", .refused(at: 1)),
        Case("f4908080", .refused(at: 1)), Case("f5808080", .refused(at: 0)),
        Case("ff", .refused(at: 0)), Case("fe", .refused(at: 0)),
        Case("c361", .refused(at: 1)), Case("e28261", .refused(at: 2)),
        Case("f09f9861", .refused(at: 3)), Case("c3c3", .refused(at: 1)),
        Case("61626364656667686162636465666768 ff", .refused(at: 16)),
        Case("6162636465666768616263 80 65666768", .refused(at: 11)),
    ])
    func `judges as early as a byte shows it`(_ test: Case) {
        let bytes = [UInt8](hex: test.hex)
        var validator = UTF8Validator()
        var verdict: Verdict?
        for (place, byte) in bytes.enumerated() where verdict == nil {
            if !validator.append([byte]) { verdict = .refused(at: place) }
        }
        #expect((verdict ?? (validator.isComplete ? .complete : .unfinished)) == test.verdict)
        let disagreements = disagreements(of: bytes, with: Self.isText(test.verdict)) { chunks in
            var validator = UTF8Validator()
            let isGood = chunks.allSatisfy { validator.append($0[...]) }
            return isGood ? validator.isComplete : nil
        }
        #expect(disagreements == [])
    }

    @Test func `agrees with the standard library on every pair and triple of bytes that matter`() {
        let marks: [UInt8] = [
            0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0,
            0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
        ]
        var misses: [[UInt8]] = []
        for first in marks {
            for second in marks {
                for third in marks {
                    let bytes = [first, second, third, 0x80]
                    for count in 1...4 {
                        let text = bytes[..<count]
                        var validator = UTF8Validator()
                        let verdict = validator.append(text) && validator.isComplete
                        let expected = String(validating: text, as: UTF8.self) != nil
                        if verdict != expected { misses.append(Array(text)) }
                    }
                }
            }
        }
        #expect(misses == [])
    }

    @Test func `agrees with it also where a scalar is judged as a word, with text behind it`() {
        let leads: [UInt8] = [
            0x61, 0x80, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1,
            0xF3, 0xF4, 0xF5, 0xF8, 0xFF,
        ]
        let marks: [UInt8] = [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xFF]
        var misses: [[UInt8]] = []
        for first in leads {
            for second in marks {
                for third in marks {
                    for fourth in marks {
                        let text: [UInt8] = [first, second, third, fourth, 0x61, 0x61, 0x61, 0x61]
                        var validator = UTF8Validator()
                        let verdict = validator.append(text[...]) && validator.isComplete
                        let expected = String(validating: text, as: UTF8.self) != nil
                        if verdict != expected { misses.append(text) }
                    }
                }
            }
        }
        #expect(misses == [])
    }

    @Test(arguments: [7, 8, 9, 31, 32, 33, 40, 41, 64, 65, 100])
    func `finds the one wrong byte at every place of a long text`(count: Int) {
        for place in 0..<count {
            var text = [UInt8](repeating: 0x61, count: count)
            text[place] = 0xFF
            var validator = UTF8Validator()
            let verdict = validator.append(text[...])
            #expect(!verdict, "at \(place)")
        }
    }

    @Test func `stays broken`() {
        var validator = UTF8Validator()
        let verdicts = [validator.append([0xFF]), validator.append([0x61])]
        #expect(verdicts == [false, false])
        #expect(!validator.isComplete)
    }

    private static func isText(_ verdict: Verdict) -> Bool? {
        switch verdict {
        case .complete: true
        case .unfinished: false
        case .refused: nil
        }
    }
}
