import Testing

@testable import BelayWire

@Suite struct `Event stream lines` {
    struct Case: CustomTestStringConvertible, Sendable {
        let text: String
        let end: Int
        var testDescription: String { text.debugDescription }

        init(_ text: String, _ end: Int) {
            self.text = text
            self.end = end
        }
    }

    @Test(arguments: [
        Case("", 0), Case("a", 1), Case("\n", 0), Case("\r", 0), Case("ab\ncd", 2),
        Case("ab\r\ncd", 2), Case("12345678\n", 8), Case("1234567\r", 7),
        Case("12345678123\n5678", 11), Case("\u{0B}\u{0C}\u{85}\u{2028}\n", 7),
        Case("\u{09}\u{0E}\u{8A}\u{8D}\u{0C}\r", 7),
    ])
    func `end at the first CR or LF and nowhere else`(_ test: Case) {
        #expect(Self.firstEnd(in: [UInt8](test.text), from: 0) == test.end)
    }

    @Test(arguments: 0...40)
    func `are found at every place from every start`(_ count: Int) {
        var misses: [String] = []
        for place in 0..<max(count, 1) {
            var bytes = [UInt8](repeating: 0x8A, count: count)  // LF but for its high bit.
            if place < count { bytes[place] = place % 2 == 0 ? 0x0A : 0x0D }
            for start in 0...count {
                let expected = start <= place && place < count ? place : count
                let seen = Self.firstEnd(in: bytes, from: start)
                if seen != expected { misses.append("\(place) from \(start): \(seen)") }
            }
        }
        #expect(misses == [])
    }

    private static func firstEnd(in bytes: [UInt8], from start: Int) -> Int {
        bytes.withUnsafeBytes { EventStreamLines.firstEnd(in: $0, from: start) }
    }
}
