import BelayCore
import BelayFaults
import Testing

@testable import BelayAcceptance

private struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let stage: Stage
    let failed: [ScenarioExpectation]
    let evidence: Evidence

    init(
        _ stage: Stage, _ description: String, _ failed: ScenarioExpectation,
        _ client: [ClientEntry] = [],
        _ endpoint: [EndpointEntry] = []
    ) {
        testDescription = description
        self.stage = stage
        self.failed = [failed]
        evidence = Evidence(client: client, endpoint: endpoint)
    }
}

@Suite struct `A failure is put down to its stage` {
    // E16
    @Test(arguments: [
        Case(
            .requestHeader, "the second request does not say the committed cursor",
            .applied(["1", "2"]),
            [.connects(1)] + ClientEntry.handles(4, "1")
                + [.commits(5, "1"), .connects(10, 2)] + ClientEntry.handles(12, "1"),
            [.request(2, 1), .sends(3, 1, 1), .request(11, 2), .sends(11, 2, 1)]),
        Case(
            .requestHeader, "nor where it is made in the millisecond of the commit",
            .handled(["1", "2"]),
            [.connects(1)] + ClientEntry.handles(4, "1")
                + [.commits(10, "1"), .connects(10, 2)] + ClientEntry.handles(12, "1"),
            [.request(2, 1), .sends(3, 1, 1), .request(11, 2), .sends(11, 2, 1)]),
        Case(
            .serverFilter, "a request and all that followed had one millisecond",
            .handled(["1", "2"]),
            [.connects(10)] + ClientEntry.handles(10, "1") + [.commits(10, "1"), .connects(10, 2)],
            [
                .request(10, 1), .sends(10, 1, 1), .request(10, 2, says: "1"),
                .sends(11, 2, 1),
            ]),
        Case(
            .serverFilter, "the second response replays what the request had behind it",
            .handled(["1", "2"]),
            [.connects(1)] + ClientEntry.handles(4, "1") + [.commits(5, "1"), .connects(10, 2)],
            [.request(2, 1), .sends(3, 1, 1), .request(11, 2, says: "1"), .sends(11, 2, 1)]),
        Case(
            .serverFilter, "an event was left out", .applied(["1", "2", "3"]),
            ClientEntry.handles(4, "1") + ClientEntry.handles(5, "3"),
            [.request(2, 1), .sends(3, 1, 1), .sends(4, 1, 3)]),
        Case(
            .parserBoundary, "an event was handled that was never sent whole",
            .handled(["1"]), ClientEntry.handles(4, "1") + ClientEntry.handles(5, "2"),
            [.request(2, 1), .sends(3, 1, 1)]),
        Case(
            .parserBoundary, "the last event was sent whole, and never came", .handled(["1", "2"]),
            ClientEntry.handles(4, "1"), [.request(2, 1), .sends(3, 1, 1), .sends(3, 1, 2)]),
        Case(
            .deduplication, "an effect happened twice", .applied(["1"]),
            ClientEntry.handles(4, "1") + ClientEntry.handles(5, "1"),
            [.request(2, 1), .sends(3, 1, 1)]),
        Case(
            .deduplication, "a replayed event was handled after its commit", .handled(["1"]),
            ClientEntry.handles(4, "1") + [.commits(5, "1"), .app(6, .handling(EventID("1")))],
            [.request(2, 1), .sends(3, 1, 1), .sends(4, 1, 1)]),
        Case(
            .scheduling, "a request said the cursor, and came before the last event was handled",
            .lastEventIDs([nil, "2"]),
            [.connects(1), .commits(5, "1"), .connects(10, 2), .commits(12, "2")],
            [.request(2, 1), .request(11, 2, says: "1")]),
        Case(
            .scheduling, "a request came after the app had left", .silenceAfterLeaving(100),
            [.app(5, .left)], [.request(2, 1), .request(300, 2)]),
        Case(
            .scheduling, "the next attempt came too late",
            .waitBetweenAttempts(Span(0, within: 10)),
            [.connects(1), .ends(2, 1, .reset), .connects(200, 2)]),
    ])
    private func `of an event's way`(_ given: Case) {
        #expect(StageRule.stage(of: given.failed, in: given.evidence) == given.stage)
    }

    // E16, W7, W24
    @Test(arguments: [
        Case(
            .identity, "a stale end changed the status", .causes([.closedLocally]),
            [
                .input(
                    10, .ended(g(1), .reset), .stale, newest: 2, from: .open(g(2)),
                    to: .waiting(until: 30))
            ]),
        Case(
            .identity, "the app read of a generation that was over", .messages(.exactly(0)),
            [.app(1, .closed(g(1), .reset)), .app(2, .message(g(1), byteCount: 1))]),
        Case(
            .heartbeat, "a ping came before its interval", .firstPing(Span(80, within: 500)),
            [.opens(1), .pings(10, 1)]),
        Case(
            .close, "an open connection ended by another cause", .causes([.closedLocally]),
            [.opens(1), .ends(10, 1, .reset)]),
        Case(
            .transport, "a connection was accepted, and no request came through it",
            .causes([.closedLocally]), [.connects(1), .ends(10, 1, .openTimedOut)],
            [EndpointEntry(at: 2, connection: 1, .accepted)]),
        Case(.transport, "a message did not come", .messages(.exactly(1)), [.opens(1)]),
        Case(.pathHint, "the banner said something else", .banners([.none])),
    ])
    private func `of a connection's life`(_ given: Case) {
        #expect(StageRule.stage(of: given.failed, in: given.evidence) == given.stage)
    }

    @Test func `there is no stage without a failure`() {
        #expect(StageRule.stage(of: [], in: Evidence()) == nil)
    }

    @Test(arguments: Stage.allCases)
    func `every stage has its words`(stage: Stage) {
        #expect(!stage.text.isEmpty)
    }
}
