import BelayCore
import BelayFaults

extension ScenarioCatalog {
    /// Interruptions of the article's three events. Where they came to their end, a 204 ends the
    /// reading, so that every request of a scenario is known.
    static let resume: [Scenario] = [
        Scenario(
            "two-rounds", "Event 1 and its cursor, then exactly 2 and 3",
            proves: ["E1", "E2", "E4", "E6", "E8", "E13", "E17"],
            plan: [FaultRule(on: 1, at: .afterEvent(1), .tcp(.fin)), over(after: 2)],
            client: .eventStream(),
            steps: toTheEnd,
            expect: whole + [
                .lastEventIDs([nil, "1", "3"]), .cursors(["1", "2", "3"]),
                .causes([.peerFinished, .peerFinished, .toldToStop]),
            ]),
        interrupted(
            "cut-after-id", "A cut behind the id line does not store that id",
            at: .afterID(2), [.tcp(.fin)], proves: ["E3", "E9"], says: "1"),
        interrupted(
            "half-event", "Half an event is dropped, and comes again",
            at: .insideData(2), [.tcp(.fin)], proves: ["E1", "E9"], says: "1"),
        interrupted(
            "no-blank-line", "The end of the stream is no end of an event",
            at: .beforeBlankLine(3), [.tcp(.fin)], proves: ["E1", "E9"], says: "2"),
        interrupted(
            "reset-between-events", "A reset loses nothing and repeats nothing",
            at: .afterEvent(2), [.tcp(.wait(milliseconds: 60)), .tcp(.reset)],
            proves: ["E6", "E9"], says: "2", cause: .reset),
        interrupted(
            "half-event-and-reset", "Half an event before a reset is dropped, and comes again",
            at: .insideData(3), [.tcp(.wait(milliseconds: 60)), .tcp(.reset)],
            proves: ["E3", "E9"], says: "2", cause: .reset),
        Scenario(
            "stall", "A stream that falls silent is given up, and resumed",
            proves: ["E6", "E9"],
            plan: [FaultRule(on: 1, at: .afterEvent(1), .tcp(.stall)), over(after: 2)],
            client: .eventStream(.with { $0.idleTimeout = 200 }),
            steps: toTheEnd,
            expect: whole + [
                .lastEventIDs([nil, "1", "3"]),
                .causes([.idleTimedOut, .peerFinished, .toldToStop]),
            ]),
        Scenario(
            "duplicate-event", "An event that is sent twice has one effect",
            proves: ["E6", "E14"],
            plan: [
                FaultRule(on: 1, at: .beforeEvent(2), .eventStream(.duplicateEvent)),
                over(after: 1),
            ],
            client: .eventStream(),
            steps: toTheEnd,
            expect: whole + [.skipped(.exactly(1)), .lastEventIDs([nil, "3"])]),
        Scenario(
            "replay-from-wrong-id", "What a server replays against the cursor has no effect",
            proves: ["E6", "E16"],
            plan: [
                FaultRule(on: 1, at: .afterEvent(2), .tcp(.fin)),
                FaultRule(on: 2, at: .request, .eventStream(.replayAfter(id: 0))),
                over(after: 2),
            ],
            client: .eventStream(),
            steps: toTheEnd,
            expect: whole + [.skipped(.exactly(2)), .lastEventIDs([nil, "2", "3"])]),
        Scenario(
            "stored-cursor", "A cursor of an earlier run is what the first request says",
            proves: ["E2"],
            plan: [over(after: 1)],
            client: .eventStream(handler: .with { $0.storedCursor = "2" }),
            steps: toTheEnd,
            expect: [.handled(["3"]), .lastEventIDs(["2", "3"]), .cursors(["3"])]),
        snapshot(
            "snapshot-by-status", "Where a 410 says that the cursor is too old, a snapshot does",
            .http(.status(410)), cause: .handshakeRefused(status: 410)),
        snapshot(
            "snapshot-by-field", "Where a field says that the cursor is too old, a snapshot does",
            .http(.field(name: "X-Cursor", value: "gone")), cause: .cursorTooOld),
        Scenario(
            "restart", "An app that was started again goes on behind its cursor",
            proves: ["E2", "E6"],
            plan: [FaultRule(on: 1, at: .afterEvent(2), .tcp(.stall)), over(after: 2)],
            client: .eventStream(),
            steps: [
                .read, .until(.committed(id: "2")), .restart, .until(.readingEnded, times: 2),
            ],
            expect: whole + [.lastEventIDs([nil, "2", "3"])]),
        Scenario(
            "reconnect-on-wish", "A request on wish says the cursor too",
            proves: ["E2"],
            plan: [FaultRule(on: 1, at: .afterEvent(1), .tcp(.stall)), over(after: 2)],
            client: .eventStream(),
            steps: [.read, .until(.committed(id: "1")), .reconnect, .until(.readingEnded)],
            expect: whole + [
                .lastEventIDs([nil, "1", "3"]),
                .causes([.replaced, .peerFinished, .toldToStop]),
            ]),
    ]

    /// Reading until the server says that it is over.
    static let toTheEnd: [ClientStep] = [.read, .until(.readingEnded)]

    /// The three events in order, each with one effect and its own data, and a clean return.
    static let whole: [ScenarioExpectation] = [
        .handled(["1", "2", "3"]), .applied(["1", "2", "3"]),
        // queued, building, finished: half a line of an older response would make them longer.
        .appliedBytes([6, 8, 8]), .cursorMovesByCommit,
        .readingEnds(.returned),
    ]

    /// Every request after the first `connections` is answered with 204: it is over.
    static func over(after connections: Int) -> FaultRule {
        FaultRule(on: .from(connections + 1), at: .response, .http(.status(204)))
    }
}

extension ScenarioCatalog {
    /// A second request that says too old a cursor; the third goes on behind the snapshot.
    private static func snapshot(
        _ id: String, _ title: String, _ fault: Fault, cause: CloseCause
    ) -> Scenario {
        Scenario(
            id, title, proves: ["E2", "E6", "E16"],
            plan: [
                FaultRule(on: 1, at: .afterEvent(2), .tcp(.fin)),
                FaultRule(on: 2, at: .response, fault), over(after: 3),
            ],
            client: .eventStream("/events?count=6", handler: .with { $0.snapshot = "4" }),
            steps: toTheEnd,
            expect: [
                .handled(["1", "2", "5", "6"]), .cursors(["1", "2", "4", "5", "6"]),
                .lastEventIDs([nil, "2", "4", "6"]), .cursorMovesByCommit,
                .causes([.peerFinished, cause, .peerFinished, .toldToStop]),
                .readingEnds(.returned),
            ])
    }

    /// One interruption of the first response; the second tells the rest.
    private static func interrupted(
        _ id: String, _ title: String, at moment: MomentPattern, _ faults: [Fault],
        proves requirements: [String], says cursor: String, cause: CloseCause = .peerFinished
    ) -> Scenario {
        Scenario(
            id, title, proves: requirements,
            plan: faults.map { FaultRule(on: 1, at: moment, $0) } + [over(after: 2)],
            client: .eventStream(),
            steps: toTheEnd,
            expect: whole + [
                .lastEventIDs([nil, cursor, "3"]),
                .causes([cause, .peerFinished, .toldToStop]),
            ])
    }
}
