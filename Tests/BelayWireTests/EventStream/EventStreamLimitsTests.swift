import BelayWire
import Testing

@Suite struct `Event stream limits` {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let stream: String
        var limits = EventStreamLimits(lineBytes: 64, eventBytes: 100, pendingBytes: 150)
        let outcome: Outcome
    }

    struct Outcome: Equatable, Sendable {
        var elements: [EventStreamElement] = []
        var error: EventStreamError?
    }

    static func line(_ head: String, bytes count: Int) -> String {
        head + String(repeating: "x", count: count - head.utf8.count)
    }

    static func tooLong(at offset: UInt64) -> EventStreamError {
        EventStreamError(limit: .lineBytes, maximum: 64, offset: offset)
    }

    static let cases: [Case] = [
        Case(
            testDescription: "a line at the limit passes",
            stream: line("data:", bytes: 64) + "\n\n",
            outcome: Outcome(elements: [
                .event(ServerSentEvent(data: line("", bytes: 59)))
            ])),
        Case(
            testDescription: "an endless data line", stream: line("data:", bytes: 65),
            outcome: Outcome(error: tooLong(at: 64))),
        Case(
            testDescription: "an endless comment", stream: line(":", bytes: 65) + "\n",
            outcome: Outcome(error: tooLong(at: 64))),
        Case(
            testDescription: "an endless unknown field", stream: line("n", bytes: 200) + "\n",
            outcome: Outcome(error: tooLong(at: 64))),
        Case(
            testDescription: "the second line, after an event and a mark",
            stream: "\u{FEFF}data:a\n\n" + line("data:", bytes: 70),
            outcome: Outcome(
                elements: [.event(ServerSentEvent(data: "a"))], error: tooLong(at: 11 + 64))),
        Case(
            testDescription: "data over the event limit",
            stream: line("data:", bytes: 64) + "\n" + line("data:", bytes: 64) + "\n\n",
            outcome: Outcome(
                error: EventStreamError(limit: .eventBytes, maximum: 100, offset: 65 + 64))),
        Case(
            testDescription: "id and type count as well",
            stream: line("id:", bytes: 64) + "\n" + line("event:", bytes: 64) + "\n",
            outcome: Outcome(
                error: EventStreamError(limit: .eventBytes, maximum: 100, offset: 65 + 64))),
        Case(
            testDescription: "an id that is replaced does not count",
            stream: line("id:", bytes: 64) + "\n" + line("id:", bytes: 64) + "\nid:1\n\n",
            outcome: Outcome(elements: [.lastEventID("1")])),
        Case(
            testDescription: "an id at its limit, and one over it",
            stream: line("id:", bytes: 67) + "\n\n" + line("id:", bytes: 68) + "\ndata:x\n\n",
            limits: EventStreamLimits(lineBytes: 100, idBytes: 64),
            outcome: Outcome(
                elements: [.lastEventID(line("", bytes: 64))],
                error: EventStreamError(limit: .idBytes, maximum: 64, offset: 69 + 68))),
        Case(
            testDescription: "an id over its limit that is ignored",
            stream: line("id:\0", bytes: 100) + "\ndata:x\n\n",
            limits: EventStreamLimits(lineBytes: 100, idBytes: 64),
            outcome: Outcome(elements: [.event(ServerSentEvent(data: "x"))])),
        Case(
            testDescription: "comments without a blank line hold nothing",
            stream: String(repeating: line(":", bytes: 64) + "\n", count: 5),
            outcome: Outcome(
                elements: Array(
                    repeating: .comment(String(line(":", bytes: 64).dropFirst())), count: 5))),
        Case(
            testDescription: "a comment behind a large half event is over what may be pending",
            stream: line("data:", bytes: 64) + "\n" + line(":", bytes: 60),
            limits: EventStreamLimits(lineBytes: 64, eventBytes: 64, pendingBytes: 100),
            outcome: Outcome(
                error: EventStreamError(limit: .pendingBytes, maximum: 100, offset: 65 + 41))),
        Case(
            testDescription: "a line over two limits names the one that is met first",
            stream: line("data:", bytes: 64) + "\n" + line("data:", bytes: 80),
            limits: EventStreamLimits(lineBytes: 64, eventBytes: 64, pendingBytes: 100),
            outcome: Outcome(
                error: EventStreamError(limit: .pendingBytes, maximum: 100, offset: 65 + 41))),
    ]

    @Test(arguments: cases, EventStreamForm.allCases)
    func `name the limit and the byte, the same for every chunking`(
        _ test: Case, _ form: EventStreamForm
    ) {
        let disagreements = disagreements(of: [UInt8](test.stream), with: test.outcome) {
            Self.outcome(of: $0, form, limits: test.limits)
        }
        #expect(disagreements == [])
    }

    // E11
    @Test(arguments: RandomInput.seeds, EventStreamForm.allCases)
    func `hold the same on random streams however they are cut`(
        _ seed: UInt64, _ form: EventStreamForm
    ) {
        let pieces =
            [
                "data", "id", "event", "retry", ":", " ", "\n", "\r", "\r\n", "\n\n", "12",
                "\u{FEFF}",
                "\u{E9}", "\0", ": c", String(repeating: "x", count: 25),
            ].map { [UInt8]($0) } + [[0xFF], [0xEF], [0xEF, 0xBB]]
        let limits = EventStreamLimits(lineBytes: 64, eventBytes: 90, pendingBytes: 100)
        let disagreements = RandomInput(seed: seed, pieces: pieces).disagreements {
            Self.outcome(of: $0, form, limits: limits)
        }
        #expect(disagreements == [])
    }

    @Test func `leave a parser that only repeats its error`() {
        var parser = EventStreamParser(limits: EventStreamLimits(lineBytes: 64))
        var elements: [EventStreamElement] = []
        let expected = Self.tooLong(at: 64)
        #expect(throws: expected) {
            try parser.append([UInt8](repeating: 0x78, count: 65), into: &elements)
        }
        #expect(throws: expected) {
            try parser.append([UInt8]("\n\ndata: a\n\n"), into: &elements)
        }
        #expect(elements == [])
    }

    @Test func `outside their range are a bug of the program`() async {
        await #expect(processExitsWith: .failure) { _ = EventStreamLimits(lineBytes: 63) }
        await #expect(processExitsWith: .failure) { _ = EventStreamLimits(eventBytes: 0) }
        await #expect(processExitsWith: .failure) { _ = EventStreamLimits(pendingBytes: .max) }
        await #expect(processExitsWith: .failure) { _ = EventStreamLimits(idBytes: 0) }
    }

    private static func outcome(
        of chunks: [[UInt8]], _ form: EventStreamForm, limits: EventStreamLimits
    ) -> Outcome {
        var parser = EventStreamParser(limits: limits)
        var outcome = Outcome()
        for chunk in chunks {
            do {
                try form.append(chunk, to: &parser, into: &outcome.elements)
            } catch {
                outcome.error = error
            }
        }
        return outcome
    }
}
