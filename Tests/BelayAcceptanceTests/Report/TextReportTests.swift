import BelayCore
import Foundation
import Testing

@testable import BelayAcceptance

@Suite struct `A text report` {
    private static let results: [ScenarioResult] = [
        ScenarioResult(
            .judging(id: "pong-answered", proves: ["W4", "W5"], .firstPing(Span(80, within: 500))),
            Evidence(client: [.connects(1), .opens(2), .pings(85, 1), .ends(90, 1, .closedLocally)]
            ),
            .finished),
        ScenarioResult(
            .judging(id: "two-rounds", proves: ["E13"], .applied(["1", "2", "3"])),
            Evidence(
                client: [.connects(1)] + ClientEntry.handles(3, "1") + ClientEntry.handles(4, "3")
                    + [.ends(9, 1, .peerFinished)],
                endpoint: [.request(2, 1), .sends(3, 1, 1), .sends(4, 1, 3)]),
            .finished),
        ScenarioResult(
            .judging(id: "pong-late", proves: ["W6"], .firstPing(Span(80, within: 500))),
            Evidence(
                client: [.connects(1), .opens(2), .pings(900, 1), .ends(990, 1, .closedLocally)]),
            ScenarioCourse(
                end: .finished, duration: 990, slowness: Slowness(longest: 700, total: 700))),
        ScenarioResult(
            .judging(
                id: "one-cause", proves: ["W24"],
                .causes([.reset, .reset, .reset, .handshakeRefused(status: 503), .closedLocally])),
            Evidence(
                client: [.connects(1), .opens(2), .ends(90, 1, .handshakeRefused(status: 503))]),
            .finished),
    ]

    @Test func `has failures first, then inconclusive, then passed, in one alignment`() throws {
        #expect(TextReport(Self.results).text == (try golden("report.txt")))
    }

    @Test func `colours verdicts only where it is asked to`() throws {
        let coloured = TextReport(Self.results, style: .coloured).text
        #expect(coloured.contains("\u{1B}[31mfailed\u{1B}[0m"))
        #expect(coloured.contains("\u{1B}[32mpassed\u{1B}[0m"))
        #expect(!TextReport(Self.results).text.contains("\u{1B}"))
    }

    @Test func `ends with a line that a pipeline can read`() {
        #expect(TextReport(Self.results).summary == "1 passed, 2 failed, 1 skipped")
        #expect(TextReport([Self.results[0]]).summary == "1 passed, 0 failed")
        #expect(TextReport([Self.results[0]]).text.hasSuffix("\n\n1 passed, 0 failed\n"))
    }

    @Test func `on a narrow terminal says whole beneath what has no room in a row`() {
        let lines = TextReport([Self.results[3]], columns: 40).text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("    ") || $0.count <= 40 })
        #expect(lines.contains("    looked at: causes"))
        #expect(lines.contains("    observed:  handshakeRefused 503"))
        #expect(
            lines.contains(
                "    threshold: reset, reset, reset, handshakeRefused 503, "
                    + "closedLocally"))
    }

    /// What was read and approved. A report that is meant to change is written here by hand.
    private func golden(_ name: String) throws -> String {
        let url = try #require(
            Bundle.module.url(forResource: "Golden/\(name)", withExtension: nil))
        return try String(contentsOf: url, encoding: .utf8)
    }
}
