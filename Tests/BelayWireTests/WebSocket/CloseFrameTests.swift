import BelayWire
import Testing

@Suite struct `Close frames` {
    struct Case: CustomTestStringConvertible, Sendable {
        let hex: String
        var code: UInt16?
        var reason = ""
        var testDescription: String { hex.isEmpty ? "empty" : hex }
    }

    @Test(arguments: [
        Case(hex: ""),
        Case(hex: "03e8", code: 1000),
        Case(hex: "03f4", code: 1012),
        Case(hex: "0bb8", code: 3000),
        Case(hex: "1387 627965", code: 4999, reason: "bye"),
        Case(hex: "03e8 c3a9", code: 1000, reason: "\u{E9}"),
    ])
    func `read code and reason, also none`(_ test: Case) throws {
        let frame = try CloseFrame(payload: [UInt8](hex: test.hex))
        #expect(frame.code?.rawValue == test.code)
        #expect(frame.reason == test.reason)
        #expect(frame.payload == [UInt8](hex: test.hex))
    }

    struct Fault: CustomTestStringConvertible, Sendable {
        let hex: String
        let fault: WebSocketViolation.Fault
        let answer: CloseCode
        var testDescription: String { hex }

        init(_ hex: String, code: UInt16) {
            self.hex = hex
            fault = .closeCodeNotAllowed(CloseCode(rawValue: code))
            answer = .protocolError
        }

        init(_ hex: String, _ fault: WebSocketViolation.Fault, answer: CloseCode) {
            self.hex = hex
            self.fault = fault
            self.answer = answer
        }
    }

    /// Rows F1 to F3 and E10 of the public bug reports.
    @Test(arguments: [
        Fault("03", .closePayloadTooShort, answer: .protocolError),
        Fault("0000", code: 0), Fault("03e7", code: 999), Fault("03ec", code: 1004),
        Fault("03ed", code: 1005), Fault("03ee", code: 1006), Fault("03f7", code: 1015),
        Fault("044c", code: 1100), Fault("5765", code: 22_373), Fault("ffff", code: 65_535),
        Fault("03e8 c080", .closeReasonNotUTF8, answer: .invalidFramePayloadData),
        Fault("03e8 c3", .closeReasonNotUTF8, answer: .invalidFramePayloadData),
    ])
    func `refuse what may not be sent, and keep the code`(_ test: Fault) {
        #expect(throws: test.fault) { try CloseFrame(payload: [UInt8](hex: test.hex)) }
        #expect(test.fault.closeCode == test.answer)
    }

    @Test func `cannot be made with a code that may not be sent`() {
        #expect(CloseFrame(code: .noStatusReceived) == nil)
        #expect(CloseFrame(code: .abnormalClosure) == nil)
        #expect(CloseFrame(code: CloseCode(rawValue: 0)) == nil)
    }

    @Test func `cut a long reason at a whole scalar`() {
        let reason = String(repeating: "a", count: 122) + "\u{E9}\u{E9}"
        let frame = CloseFrame(code: .normalClosure, reason: reason)
        #expect(frame?.reason == String(repeating: "a", count: 122))
        let fitting = CloseFrame(code: .normalClosure, reason: String(repeating: "b", count: 123))
        #expect(fitting?.payload.count == Frame.maximumControlBytes)
    }
}
