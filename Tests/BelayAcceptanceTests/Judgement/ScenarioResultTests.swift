import BelayCore
import Testing

@testable import BelayAcceptance

@Suite struct `A verdict follows from findings and course` {
    private static let whole = Evidence(
        client: [.connects(1), .opens(2), .pings(82, 1), .ends(90, 1, .closedLocally)])
    private static let late = Evidence(
        client: [.connects(1), .opens(2), .pings(900, 1), .ends(990, 1, .closedLocally)])
    private static let early = Evidence(
        client: [.connects(1), .opens(2), .pings(50, 1), .ends(90, 1, .closedLocally)])
    private static let scenario = Scenario.judging(.firstPing(Span(80, within: 500)))

    private struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let evidence: Evidence
        let course: ScenarioCourse
        let verdict: Verdict
        var stage: Stage?
        var reason: String?
    }

    @Test(arguments: [
        Case(
            testDescription: "all kept: passed", evidence: whole, course: .finished,
            verdict: .passed),
        Case(
            testDescription: "all kept on a machine that stood still: passed all the same",
            evidence: whole,
            course: ScenarioCourse(
                end: .finished, duration: 900, slowness: Slowness(longest: 900, total: 900)),
            verdict: .passed),
        Case(
            testDescription: "too late on a machine that ran: failed", evidence: late,
            course: ScenarioCourse(
                end: .finished, duration: 900, slowness: Slowness(longest: 99, total: 99)),
            verdict: .failed,
            stage: .heartbeat),
        Case(
            testDescription: "too late on a machine that stood still: inconclusive", evidence: late,
            course: ScenarioCourse(
                end: .finished, duration: 900, slowness: Slowness(longest: 100, total: 100)),
            verdict: .inconclusive, reason: "the machine stood still for 100 ms"),
        Case(
            testDescription: "too early on a machine that stood still: failed", evidence: early,
            course: ScenarioCourse(
                end: .finished, duration: 900, slowness: Slowness(longest: 900, total: 900)),
            verdict: .failed,
            stage: .heartbeat),
        Case(
            testDescription: "interrupted: inconclusive", evidence: whole,
            course: ScenarioCourse(end: .interrupted, duration: 9), verdict: .inconclusive,
            reason: "interrupted"),
        Case(
            testDescription: "all kept by a client that does not stop: failed", evidence: whole,
            course: ScenarioCourse(end: .notStopped, duration: 100), verdict: .failed,
            stage: .scheduling),
        Case(
            testDescription: "never begun: inconclusive", evidence: Evidence(),
            course: ScenarioCourse(end: .notStarted("no port is free"), duration: 0),
            verdict: .inconclusive, reason: "no port is free"),
        Case(
            testDescription: "all kept and a step not done: failed", evidence: whole,
            course: ScenarioCourse(end: .overLimit(step: 2), duration: 9), verdict: .failed,
            stage: .scheduling),
        Case(
            testDescription: "entries not kept: inconclusive",
            evidence: Evidence(client: whole.client, omitted: 3), course: .finished,
            verdict: .inconclusive, reason: "3 entries were not kept"),
    ])
    private func `as`(_ given: Case) {
        let result = ScenarioResult(Self.scenario, given.evidence, given.course)
        #expect(result.verdict == given.verdict)
        // Only what a slow machine left open is worth another try.
        #expect(result.isLeftOpen == (result.reason?.hasPrefix("the machine") ?? false))
        #expect(result.stage == given.stage)
        #expect(result.reason == given.reason)
    }

    @Test func `a step that was not done names the step`() {
        let result = ScenarioResult(
            Self.scenario, Self.whole, ScenarioCourse(end: .overLimit(step: 2), duration: 9))
        #expect(result.headline?.observable == "steps")
        #expect(result.headline?.observed == "stopped at 2: close")
    }

    @Test func `what every client must keep is judged in every scenario`() {
        let result = ScenarioResult(Self.scenario, Self.whole, .finished)
        #expect(result.findings.count == 1 + ScenarioExpectation.standing.count)
    }
}
