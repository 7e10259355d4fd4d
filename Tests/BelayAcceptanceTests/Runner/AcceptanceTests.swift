import Belay
import BelayCore
import BelayFaults
import Foundation
import Testing

@testable import BelayAcceptance

/// Something that is wrong on purpose, and where the judge must put it down to.
private struct Broken: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let stage: Stage
    let scenario: Scenario

    init(
        _ description: String, _ stage: Stage, plan: [FaultRule] = [], _ client: ScenarioClient,
        _ steps: [ClientStep], expect: [ScenarioExpectation], limit: Milliseconds = 30_000
    ) {
        testDescription = description
        self.stage = stage
        scenario = Scenario(
            "broken", "A promise that is not kept", proves: ["E16"], plan: plan, client: client,
            steps: steps, expect: expect, limit: limit)
    }
}

@Suite(.tags(.realTime), .timeLimit(.minutes(5))) struct `The acceptance` {
    // E16, W20, W25
    @Test func `passes every scenario of the catalog, on real sockets`() async throws {
        let acceptance = Acceptance(ScenarioCatalog.all, seed: 7, transports: .standard)
        let results = try await acceptance.run()
        #expect(results.map(\.scenario.id) == ScenarioCatalog.all.map(\.id))
        let failed = results.filter { $0.verdict == .failed }
        #expect(failed.isEmpty, "\n\(TextReport(failed).text)")
    }

    /// The judge is judged: each of these must fail, and be put down to its stage.
    // E16
    @Test(arguments: [
        Broken(
            "a server that leaves event 2 out", .serverFilter,
            plan: [
                FaultRule(on: 1, at: .beforeEvent(2), .tcp(.silence)),
                ScenarioCatalog.over(after: 1),
            ],
            .eventStream(), ScenarioCatalog.toTheEnd, expect: ScenarioCatalog.whole),
        Broken(
            "an app that forgets its cursor", .requestHeader,
            plan: [
                FaultRule(on: 1, at: .afterEvent(2), .tcp(.stall)), ScenarioCatalog.over(after: 2),
            ],
            .eventStream(),
            [.read, .until(.committed(id: "2")), .forgetCursor, .until(.readingEnded, times: 2)],
            expect: [.handled(["1", "2", "3"])]),
        Broken(
            "a store that does not tell ids apart", .deduplication,
            plan: [ScenarioCatalog.over(after: 1)],
            .eventStream(
                handler: .with {
                    $0.failuresAfter = ["2": 1]
                    $0.deduplicates = false
                }),
            ScenarioCatalog.toTheEnd, expect: [.applied(["1", "2", "3"])]),
        Broken(
            "an end of the stream that is taken for the end of an event", .parserBoundary,
            plan: [
                FaultRule(on: 1, at: .beforeBlankLine(3), .tcp(.fin)),
                ScenarioCatalog.over(after: 1),
            ],
            .eventStream(), ScenarioCatalog.toTheEnd, expect: [.handled(["1", "2", "3"])]),
        Broken(
            "an app that says that it left, and goes on asking", .scheduling,
            plan: [FaultRule(at: .afterEvent(.every), .tcp(.fin))],
            .eventStream(.with { $0.wait = 150...200 }),
            [.read, .until(.waiting), .pretendToLeave, .wait(500)],
            expect: [.silenceAfterLeaving(400)]),
        Broken(
            "a heartbeat faster than its policy", .heartbeat,
            .webSocket(interval: 40, timeout: 1_000), [.read, .until(.answered), .close],
            expect: [.firstPing(Span(400, within: 5_000))]),
        Broken(
            "an end that was expected to be another", .close,
            plan: [FaultRule(on: 1, at: .opened, .tcp(.fin))],
            .webSocket(), [.read, .until(.opened, times: 2), .close],
            expect: [.firstCauses([.heartbeatTimedOut])]),
        Broken(
            "a message that never comes", .transport,
            plan: [FaultRule(at: .message(1), .tcp(.silence))],
            .webSocket(), [.read, .until(.opened), .send("hello"), .wait(200), .close],
            expect: [.messages(.exactly(1))]),
        Broken(
            "a banner for another path", .pathHint, .webSocket(),
            [.observePath, .path(PathUpdate(.unavailable)), .show], expect: [.banners([.none])]),
        Broken(
            "a client that never opens what it waits for", .scheduling,
            plan: [FaultRule(at: .handshake, .http(.status(403)))],
            .webSocket(), [.read, .until(.opened)], expect: [.opened(.exactly(0))], limit: 1_000),
    ])
    private func `fails what is broken, and names the stage`(_ broken: Broken) async throws {
        let acceptance = Acceptance(
            [broken.scenario], seed: 7, transports: .standard, excuse: .nothing)
        let result = try #require(try await acceptance.run().first)
        #expect(result.verdict == .failed, "\n\(TextReport([result]).text)")
        #expect(result.stage == broken.stage, "\n\(TextReport([result]).text)")
    }

    @Test func `ends at once when it is cancelled, and says what was not tried`() async throws {
        let endless = (1...40).map { number in
            Scenario(
                "endless-\(number)", "A wait", proves: ["E15"], client: .webSocket(),
                steps: [.read, .until(.opened), .wait(600_000)], expect: [.opened(.exactly(1))],
                limit: 600_000)
        }
        let first = try ScenarioCatalog.named(["told-to-stop"])
        let acceptance = Acceptance(first + endless, seed: 7, transports: .standard, width: 4)
        // The first to end cancels the run, while others are under way and more are waiting.
        let results = try await acceptance.run { _ in
            withUnsafeCurrentTask { $0?.cancel() }
        }
        #expect(results.map(\.verdict) == [.passed] + endless.map { _ in .inconclusive })
        #expect(results.dropFirst().allSatisfy { $0.reason == "interrupted" })
    }

    @Test func `reports each result as it comes`() async throws {
        let scenarios = try ScenarioCatalog.named(["path-sequence", "told-to-stop"])
        let acceptance = Acceptance(scenarios, seed: 7, transports: .standard)
        var counts: [Int] = []
        _ = try await acceptance.run { counts.append($0.count) }
        #expect(counts == [1, 2])
    }
}
