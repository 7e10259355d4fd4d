import BelayCore
import BelayFaults

extension ScenarioCatalog {
    /// Leaving at every moment: nothing is asked of the peer afterwards.
    static let leaving: [Scenario] = [
        left(
            "cancel-while-reading", "Cancelling ends the read and its request",
            plan: [FaultRule(at: .afterEvent(1), .tcp(.stall))],
            until: .committed(id: "1"), handled: ["1"]),
        left(
            "cancel-while-waiting", "Cancelling ends the wait, and its timer asks for nothing",
            plan: [FaultRule(at: .afterEvent(1), .tcp(.fin))],
            until: .committed(id: "1"), .waiting, handled: ["1"]),
        left(
            "cancel-while-handling", "Cancelling ends the handler, and its event is not committed",
            handler: .with { $0.hangsOn = "2" }, until: .handling(id: "2"),
            handled: ["1", "2"], applied: ["1"]),
        left(
            "cancel-while-handler-waits", "Cancelling ends the wait for another try",
            handler: .with {
                $0.failuresBefore = ["2": 5]
                $0.wait = 200...250
            },
            until: .event(.failed(attempt: 1)), handled: ["1", "2"], applied: ["1"]),
        left(
            "cancel-while-connecting", "Cancelling ends an attempt that nobody answers",
            plan: [FaultRule(at: .response, .tcp(.stall))],
            handled: []),
        Scenario(
            "close-while-waiting", "Closing a stream that waits lets reading return",
            proves: ["E15"],
            plan: [FaultRule(at: .afterEvent(1), .tcp(.fin))],
            client: .eventStream(.with { $0.wait = 200...250 }),
            steps: [
                .read, .until(.committed(id: "1")), .until(.waiting), .close, .wait(500),
            ],
            expect: [
                .silenceAfterLeaving(450), .nothingLeftOpen, .readingEnds(.returned),
                .handled(["1"]),
            ]),
        Scenario(
            "cancel-websocket", "Leaving the loop closes the WebSocket, and nobody comes back",
            proves: ["E15", "W24"],
            client: .webSocket(),
            steps: [.read, .until(.opened), .cancel, .wait(500)],
            expect: [
                .silenceAfterLeaving(450), .nothingLeftOpen, .causes([.closedLocally]),
                .endpoint(.closeReceived(code: 1000), .exactly(1)), .readingEnds(.cancelled),
            ]),
    ]

    private static func left(
        _ id: String, _ title: String, plan: [FaultRule] = [],
        handler: HandlerScript = HandlerScript(), until occasions: Condition.Occasion...,
        handled: [String], applied: [String]? = nil
    ) -> Scenario {
        // Where nothing can be waited for, the attempt is under way after a while.
        let moments: [ClientStep] =
            occasions.isEmpty ? [.wait(150)] : occasions.map { .until($0) }
        return Scenario(
            id, title, proves: ["E15"], plan: plan,
            client: .eventStream(handler: handler, .with { $0.wait = 200...250 }),
            steps: [.read] + moments + [.cancel, .wait(500)],
            expect: [
                .silenceAfterLeaving(450), .nothingLeftOpen, .readingEnds(.cancelled),
                .handled(handled),
                .applied(applied ?? handled),
            ])
    }
}
