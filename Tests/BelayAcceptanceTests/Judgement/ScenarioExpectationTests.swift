import BelayCore
import BelayFaults
import Testing

@testable import BelayAcceptance

/// A threshold, evidence, and what a report must say of it.
private struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expectation: ScenarioExpectation
    let client: [ClientEntry]
    var endpoint: [EndpointEntry] = []
    let observed: String
    let isMet: Bool
    var excuse = Finding.Excuse.stall

    init(
        _ description: String, _ expectation: ScenarioExpectation, _ client: [ClientEntry],
        _ endpoint: [EndpointEntry] = [], sees observed: String, met isMet: Bool,
        excuse: Finding.Excuse = .stall
    ) {
        testDescription = description
        self.expectation = expectation
        self.client = client
        self.endpoint = endpoint
        self.observed = observed
        self.isMet = isMet
        self.excuse = excuse
    }
}

@Suite struct `An expectation shows what it saw` {
    // W4, W5, W6
    @Test(arguments: [
        Case(
            "a first ping exactly one interval after the opening",
            .firstPing(Span(80, within: 500)),
            [.opens(10), .pings(90, 1)], sees: "80 ms", met: true),
        Case(
            "a first ping one millisecond early, which no stall excuses",
            .firstPing(Span(80, within: 500)), [.opens(10), .pings(89, 1)], sees: "79 ms",
            met: false, excuse: .none),
        Case(
            "a first ping too late, which a stall may excuse", .firstPing(Span(80, within: 500)),
            [.opens(10), .pings(600, 1)], sees: "590 ms", met: false),
        Case(
            "no ping at all", .firstPing(Span(80, within: 500)), [.opens(10)],
            sees: "nothing to measure", met: false),
        Case(
            "pings one interval after each pong", .pingAfterPong(Span(80, within: 500)),
            [.pings(80, 1), .pongs(90, 1), .pings(170, 2), .pongs(180, 2), .pings(270, 3)],
            sees: "80 to 90 ms", met: true),
        Case(
            "a second ping while one is unanswered", .oneOutstandingPing,
            [.pings(80, 1), .pings(160, 2)], sees: "g1 ping 2", met: false, excuse: .none),
        Case(
            "a ping after an answer", .oneOutstandingPing,
            [.pings(80, 1), .pongs(81, 1), .pings(161, 2)], sees: "none", met: true),
        Case(
            "an end exactly at the deadline", .deathAfterPing(Span(150, within: 500)),
            [.pings(100, 1), .ends(250, 1, .heartbeatTimedOut)], sees: "150 ms", met: true),
        Case(
            "an end before the deadline", .deathAfterPing(Span(150, within: 500)),
            [.pings(100, 1), .ends(249, 1, .heartbeatTimedOut)], sees: "149 ms", met: false,
            excuse: .none),
        Case(
            "a ping in the background", .calmInBackground,
            [.input(10, .background), .pings(20, 1), .input(30, .foreground), .pings(31, 2)],
            sees: "g1 ping 1", met: false, excuse: .none),
    ])
    private func `of the heartbeat`(_ given: Case) {
        check(given)
    }

    // W1, W7, W14, W24
    @Test(arguments: [
        Case(
            "causes in order", .causes([.reset, .closedLocally]),
            [.ends(10, 1, .reset), .ends(20, 2, .closedLocally)], sees: "reset, closedLocally",
            met: true),
        Case(
            "a cause with its number", .causes([.peerClosed(code: 1012)]),
            [.ends(10, 1, .peerClosed(code: 1011))], sees: "peerClosed 1011", met: false),
        Case(
            "two causes of one generation, which no stall excuses", .oneCauseEach,
            [.connects(1), .ends(10, 1, .reset), .ends(20, 1, .peerVanished)],
            sees: "g1: 2 recorded, 0 read", met: false, excuse: .none),
        Case(
            "an end that was read twice", .oneCauseEach,
            [
                .connects(1), .ends(10, 1, .reset), .app(11, .closed(g(1), .reset)),
                .app(12, .closed(g(1), .reset)),
            ],
            sees: "g1: 1 recorded, 2 read", met: false, excuse: .none),
        Case(
            "a generation without a cause, which may still come", .oneCauseEach, [.connects(1)],
            sees: "g1: 0 recorded, 0 read", met: false),
        Case(
            "a number that comes again", .generationsRise, [.connects(1, 2), .connects(2, 2)],
            sees: "g2 after g2", met: false, excuse: .none),
        Case(
            "numbers that begin anew with the app", .generationsRise,
            [.connects(1, 1), .app(2, .restarted), .connects(3, 1)], sees: "rising", met: true),
        Case(
            "a stale close that changed the status", .ignoredChangesNothing,
            [
                .input(
                    10, .ended(g(1), .reset), .stale, newest: 2, from: .open(g(2)),
                    to: .connecting(g(3)))
            ],
            sees: "stale ended: open to connecting", met: false, excuse: .none),
        Case(
            "a stale close that changed nothing", .ignoredChangesNothing,
            [.input(10, .ended(g(1), .reset), .stale, newest: 2, from: .open(g(2)))],
            sees: "none", met: true),
        Case(
            "a message of a generation that is over", .nothingAfterItsEnd,
            [.app(1, .closed(g(1), .reset)), .app(2, .message(g(1), byteCount: 3))],
            sees: "g1 message", met: false, excuse: .none),
        Case(
            "a message that was accepted", .readsOnlyAccepted,
            [.receives(1, 3), .app(2, .message(g(1), byteCount: 3))], sees: "none", met: true),
        Case(
            "a message that came to a closing connection", .readsOnlyAccepted,
            [
                .receives(1, 3), .app(2, .message(g(1), byteCount: 3)),
                .receives(3, 3, .unexpected), .app(4, .message(g(1), byteCount: 3)),
            ],
            sees: "g1 message of 3 bytes", met: false, excuse: .none),
        Case(
            "late pongs that were counted", .ignored("pong", .late, .atLeast(1)),
            [.pongs(10, 1, .late)], sees: "1", met: true),
    ])
    private func `of generations and their causes`(_ given: Case) {
        check(given)
    }

    // E2, E6, E13, E15, E17
    @Test(arguments: [
        Case(
            "effects in order, each once", .applied(["1", "2"]),
            ClientEntry.handles(1, "1") + ClientEntry.handles(2, "2"), sees: "1, 2", met: true),
        Case(
            "an effect that came twice", .applied(["1"]),
            ClientEntry.handles(1, "1") + ClientEntry.handles(2, "1"), sees: "1, 1", met: false),
        Case(
            "an effect that is longer than what was sent", .appliedBytes([6, 8]),
            ClientEntry.handles(1, "1") + ClientEntry.handles(2, "2", byteCount: 14),
            sees: "6, 14", met: false),
        Case(
            "a row that is too long to show", .appliedAll(through: 10),
            (1...9).flatMap { ClientEntry.handles(1, String($0)) },
            sees: "1, 2, 3, 4, 5, 6, 7, … (9)", met: false),
        Case(
            "requests as the endpoint read them", .lastEventIDs([nil, "1"]), [],
            [.request(1, 1), .request(2, 2, says: "1")], sees: "-, 1", met: true),
        Case(
            "a request that forgot the cursor", .requestsSayTheCursor,
            [.connects(1), .commits(5, "1"), .connects(10, 2)], [.request(2, 1), .request(11, 2)],
            sees: "connection 2 said -, cursor 1", met: false, excuse: .none),
        Case(
            "a request whose cursor moved while it was made", .requestsSayTheCursor,
            [.connects(1), .commits(5, "1"), .connects(10, 2), .commits(11, "2")],
            [.request(2, 1), .request(12, 2, says: "1")], sees: "none", met: true),
        Case(
            "a cursor that moved without a commit", .cursorMovesByCommit,
            [.commits(1, "1"), .event(2, "2", .failed(attempt: 1), cursor: "2")],
            sees: "1 to 2", met: false, excuse: .none),
        Case(
            "silence after leaving", .silenceAfterLeaving(400),
            [.app(100, .left), .app(600, .finished)], [.request(50, 1)],
            sees: "none for 500 ms", met: true),
        Case(
            "a silence that was not watched for long enough", .silenceAfterLeaving(400),
            [.app(100, .left), .app(300, .finished)], sees: "none for 200 ms", met: false),
        Case(
            "an attempt after leaving", .silenceAfterLeaving(400),
            [.app(100, .left), .connects(101, 2), .app(600, .finished)],
            sees: "g2 attempted after 1 ms", met: false, excuse: .none),
        Case(
            "a request after leaving", .silenceAfterLeaving(400),
            [.app(100, .left), .app(600, .finished)], [.request(201, 2)],
            sees: "connection 2 request after 101 ms", met: false, excuse: .none),
        Case(
            "connections that ended soon after leaving", .nothingLeftOpen, [.app(100, .left)],
            [.accepts(1, 1), .ends(90, 1), .accepts(95, 2), .ends(200, 2)], sees: "none",
            met: true),
        Case(
            "a connection that ended later than that, or never", .nothingLeftOpen,
            [.app(100, .left)], [.accepts(1, 1), .ends(201, 1), .accepts(2, 2)],
            sees: "connection 1, connection 2", met: false),
        Case(
            "a server that was ahead", .sentAhead(atMost: 1), ClientEntry.handles(3, "1"),
            [.sends(1, 1, 1), .sends(2, 1, 2), .sends(4, 1, 3)], sees: "2", met: false),
        Case(
            "the end of reading", .readingEnds(.closed(.wrongContentType)),
            [.app(1, .readingEnded(.closed(.wrongContentType)))],
            sees: "closed: wrongContentType", met: true),
    ])
    private func `of events and the cursor`(_ given: Case) {
        check(given)
    }

    // P1, P2
    @Test(arguments: [
        Case(
            "banners in order", .banners([.pathUnknown, .requestFailed]),
            [
                .app(1, .shown(.pathUnknown, path: .unknown, outcome: .none, expensive: false)),
                .app(
                    2,
                    .shown(
                        .requestFailed, path: .available, outcome: .failed(.timedOut),
                        expensive: true)),
            ],
            sees: "pathUnknown, requestFailed", met: true),
        Case(
            "an outcome that is another", .outcomes([.succeeded]),
            [
                .app(
                    1,
                    .shown(.none, path: .available, outcome: .failed(.timedOut), expensive: false))
            ],
            sees: "timedOut", met: false),
    ])
    private func `of the path and the screen`(_ given: Case) {
        check(given)
    }

    private func check(_ given: Case) {
        let finding = given.expectation.finding(
            in: Evidence(client: given.client, endpoint: given.endpoint))
        #expect(finding.observed == given.observed)
        #expect(finding.isMet == given.isMet)
        if !given.isMet { #expect(finding.excuse == given.excuse) }
        #expect(!finding.threshold.isEmpty)
    }
}
