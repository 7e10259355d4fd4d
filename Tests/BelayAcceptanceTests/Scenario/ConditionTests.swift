import BelayCore
import Testing

@testable import BelayAcceptance

@Suite struct `A condition` {
    private struct Case: Sendable, CustomTestStringConvertible {
        let occasion: Condition.Occasion
        let entry: ClientEntry
        var testDescription: String { "\(occasion)" }
    }

    private static let cases: [Case] = [
        Case(occasion: .attempted, entry: .connects(1)),
        Case(occasion: .opened, entry: .opens(1)),
        Case(occasion: .ended, entry: .ends(1, 1, .reset)),
        Case(occasion: .pinged, entry: .pings(1, 1)),
        Case(occasion: .answered, entry: .pongs(1, 1)),
        Case(occasion: .ignored(input: "pong", .late), entry: .pongs(1, 1, .late)),
        Case(occasion: .paused, entry: .input(1, .readingPaused(g(1)))),
        Case(occasion: .message, entry: .app(1, .message(g(1), byteCount: 1))),
        Case(occasion: .sendEnded, entry: .app(1, .sendEnded(succeeded: true))),
        Case(occasion: .handling(id: "2"), entry: .app(1, .handling(EventID("2")))),
        Case(occasion: .event(.skipped), entry: .event(1, "2", .skipped, cursor: "2")),
        Case(occasion: .committed(id: "1"), entry: .commits(1, "1")),
        Case(
            occasion: .pathReported,
            entry: .record(
                .path(
                    PathRecord(
                        at: 1, generation: g(1), update: PathUpdate(.available),
                        verdict: .accepted, after: .available)))),
        Case(occasion: .readingEnded, entry: .app(1, .readingEnded(.returned))),
    ]

    @Test(arguments: cases)
    private func `is met by its own kind of entry`(_ given: Case) {
        #expect(Condition(given.occasion).matches(given.entry))
    }

    @Test(arguments: cases)
    private func `is met by no other kind`(_ given: Case) {
        let met = Self.cases.filter { Condition($0.occasion).matches(given.entry) }
        #expect(met.map(\.testDescription) == [given.testDescription])
    }

    @Test func `reads as a report writes it`() {
        #expect("\(ClientStep.until(.opened))" == "until(opened)")
        #expect("\(ClientStep.until(.opened, times: 2))" == "until(opened, 2 times)")
    }
}
