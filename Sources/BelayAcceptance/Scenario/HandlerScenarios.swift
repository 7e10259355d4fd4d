import BelayCore
import BelayFaults

extension ScenarioCatalog {
    static let handlers: [Scenario] = [
        Scenario(
            "handler-fails", "A failing handler leaves the cursor, and is given the event again",
            proves: ["E4", "E14", "E17"],
            plan: [over(after: 1)],
            client: .eventStream(handler: .with { $0.failuresBefore = ["2": 2] }),
            steps: toTheEnd,
            expect: [
                .handled(["1", "2", "2", "2", "3"]), .applied(["1", "2", "3"]),
                .failures(.exactly(2)), .cursors(["1", "1", "1", "2", "3"]),
                .cursorMovesByCommit, .readingEnds(.returned),
            ]),
        Scenario(
            "falls-after-effect", "A fall between effect and cursor does not repeat the effect",
            proves: ["E5", "E6", "E14"],
            plan: [over(after: 1)],
            client: .eventStream(handler: .with { $0.failuresAfter = ["2": 1] }),
            steps: toTheEnd,
            expect: [
                .handled(["1", "2", "2", "3"]), .applied(["1", "2", "3"]),
                .cursors(["1", "1", "2", "3"]), .readingEnds(.returned),
            ]),
        Scenario(
            "falls-and-cut", "A fall after the effect and a cut after it are one effect",
            proves: ["E5", "E6"],
            plan: [FaultRule(on: 1, at: .afterEvent(2), .tcp(.fin)), over(after: 2)],
            client: .eventStream(
                handler: .with {
                    $0.failuresAfter = ["2": 1]
                    $0.wait = 100...150
                }),
            steps: toTheEnd,
            expect: [
                .applied(["1", "2", "3"]), .failures(.exactly(1)), .cursorMovesByCommit,
                .readingEnds(.returned),
            ]),
        Scenario(
            "handler-gives-up", "A handler at its limit ends the reading before the event",
            proves: ["E4", "E14"],
            plan: [FaultRule(on: 1, at: .afterEvent(3), .tcp(.stall)), over(after: 2)],
            client: .eventStream(
                handler: .with {
                    $0.failuresBefore = ["2": 2]
                    $0.attemptLimit = 2
                }),
            steps: [
                .read, .until(.readingEnded), .read, .until(.readingEnded, times: 2),
            ],
            expect: [
                .handled(["1", "2", "2", "2", "3"]), .applied(["1", "2", "3"]),
                .lastEventIDs([nil, "1", "3"]), .readingEnds(.returned),
            ]),
        Scenario(
            "deliveries", "A loop's commit and skip move the cursor, and its failure does not",
            proves: ["E4", "E6", "E14", "E17"],
            plan: [
                FaultRule(on: 1, at: .afterEvent(3), .tcp(.stall)),
                FaultRule(on: 2, at: .request, .eventStream(.replayAfter(id: 1))),
                over(after: 2),
            ],
            client: .eventStream(
                "/events?count=4",
                handler: .with {
                    $0.form = .deliveries
                    $0.failuresBefore = ["2": 1]
                    $0.passesOver = ["3"]
                }),
            steps: [.read, .until(.event(.passedOver)), .reconnect, .until(.readingEnded)],
            expect: [
                .handled(["1", "2", "2", "3", "4"]), .applied(["1", "2", "4"]),
                .failures(.exactly(1)), .skipped(.exactly(2)),
                .cursors(["1", "1", "2", "3", "3", "3", "4"]), .lastEventIDs([nil, "3", "4"]),
                .cursorMovesByCommit, .readingEnds(.returned),
            ]),
        Scenario(
            "slow-handler", "A slow handler gets every event in order, and slows the reading",
            proves: ["E12"],
            plan: [over(after: 1)],
            client: .eventStream(
                "/events?count=300", handler: .with { $0.pause = 1 },
                .with { $0.queuedElements = 8 }),
            steps: [.read, .until(.paused), .until(.readingEnded)],
            expect: [
                .appliedAll(through: 300), .lastEventIDs([nil, "300"]), .readingEnds(.returned),
            ]),
        Scenario(
            "long-stream", "A long stream is handled as it comes",
            proves: ["E12"],
            plan: [over(after: 1)],
            client: .eventStream("/events?count=2000"),
            steps: toTheEnd,
            expect: [.appliedAll(through: 2_000), .lastEventIDs([nil, "2000"])],
            // Two thousand handlers, also under a sanitizer: it is no scenario about time.
            limit: 20_000),
        Scenario(
            "hanging-handler", "A handler that hangs holds the server, not the memory",
            proves: ["E12"],
            client: .eventStream(
                // 64 MB: what the system and both ends may hold is a fraction of it.
                "/events?count=1000&size=65536", handler: .with { $0.hangsOn = "1" },
                .with { $0.queuedElements = 8 }),
            steps: [.read, .until(.paused), .wait(300), .cancel],
            expect: [
                .sentAhead(atMost: 400), .handled(["1"]), .applied([]),
                .readingEnds(.cancelled),
            ]),
    ]
}
