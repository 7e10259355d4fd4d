import Testing

@testable import BelayFaults

@Suite struct `A cursor in Last-Event-ID` {
    struct Case: CustomTestStringConvertible {
        let text: String
        let number: Int?
        var testDescription: String {
            "\(text.debugDescription.prefix(24)), \(text.utf8.count) bytes"
        }
    }

    /// Every line was checked against `int()` of Python 3.11.
    // E7
    @Test(arguments: [
        Case(text: "0", number: 0),
        Case(text: "2", number: 2),
        Case(text: "007", number: 7),
        Case(text: "+2", number: 2),
        Case(text: "-3", number: -3),
        Case(text: "-0", number: 0),
        Case(text: " 1 ", number: 1),
        Case(text: "\t7\n", number: 7),
        Case(text: "\u{0B}1\u{0C}", number: 1),
        Case(text: "1_0", number: 10),
        Case(text: "+1_000", number: 1_000),
        Case(text: "0_0", number: 0),
        Case(text: "9223372036854775807", number: .max),
        Case(text: "99999999999999999999", number: .max),
        Case(text: "-99999999999999999999", number: -.max),
        Case(text: String(repeating: "9", count: 4_300), number: .max),
        Case(text: String(repeating: "0", count: 4_300), number: 0),
        Case(text: String(repeating: "1_", count: 4_299) + "1", number: .max),
        Case(text: String(repeating: "9", count: 4_301), number: nil),
        Case(text: String(repeating: "0", count: 4_301), number: nil),
        Case(text: "", number: nil),
        Case(text: " ", number: nil),
        Case(text: "+", number: nil),
        Case(text: "+ 1", number: nil),
        Case(text: "--1", number: nil),
        Case(text: "+-1", number: nil),
        Case(text: "_1", number: nil),
        Case(text: "1_", number: nil),
        Case(text: "1__0", number: nil),
        Case(text: "+_1", number: nil),
        Case(text: "1 2", number: nil),
        Case(text: "1.0", number: nil),
        Case(text: "0x1", number: nil),
        Case(text: "1e3", number: nil),
        Case(text: "1\u{00}", number: nil),
        Case(text: "\u{1F}1", number: nil),
        Case(text: "²", number: nil),
        Case(text: "abc", number: nil),
    ])
    func `is read as Python reads an integer`(_ sample: Case) {
        #expect(EventCursor.parse(sample.text) == sample.number)
    }
}
