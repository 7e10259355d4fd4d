import BelayWire
import Testing

@Suite struct `The body decoder` {
    struct Case: CustomTestStringConvertible, Sendable {
        let framing: HTTPBodyFraming
        let text: String
        let body: String
        let isComplete: Bool
        let isCutByClose: Bool
        var testDescription: String { "\(framing) \(text.debugDescription)" }
    }

    @Test(arguments: [
        Case(framing: .none, text: "next", body: "", isComplete: true, isCutByClose: false),
        Case(framing: .length(0), text: "next", body: "", isComplete: true, isCutByClose: false),
        Case(
            framing: .length(2), text: "abnext", body: "ab", isComplete: true, isCutByClose: false),
        Case(framing: .length(2), text: "a", body: "a", isComplete: false, isCutByClose: true),
        Case(
            framing: .chunked, text: "1\r\na\r\n0\r\n\r\nnext", body: "a", isComplete: true,
            isCutByClose: false),
        Case(
            framing: .chunked, text: "1\r\na\r\n", body: "a", isComplete: false,
            isCutByClose: true),
        Case(framing: .untilClose, text: "ab", body: "ab", isComplete: false, isCutByClose: false),
    ])
    func `knows the end of a body from a cut`(_ test: Case) {
        let disagreements = disagreements(of: [UInt8](test.text), with: true) { chunks in
            var decoder = HTTPBodyDecoder(test.framing)
            var body: [UInt8] = []
            var consumed = 0
            for chunk in chunks {
                do {
                    consumed += try decoder.append(chunk, into: &body)
                } catch {
                    Issue.record(error)
                }
            }
            let isRestLeft = consumed == test.text.utf8.count - (test.isComplete ? 4 : 0)
            return body == [UInt8](test.body) && decoder.isComplete == test.isComplete
                && decoder.isCutByClose == test.isCutByClose && isRestLeft
        }
        #expect(disagreements == [])
    }

    @Test func `remembers a fault in its chunks`() {
        var decoder = HTTPBodyDecoder(.chunked)
        var body: [UInt8] = []
        let error = ChunkedError(.malformedSize, offset: 0)
        #expect(throws: error) { try decoder.append([UInt8]("g"), into: &body) }
        #expect(throws: error) { try decoder.append([UInt8]("1\r\n"), into: &body) }
        #expect(decoder.isCutByClose)
    }
}
