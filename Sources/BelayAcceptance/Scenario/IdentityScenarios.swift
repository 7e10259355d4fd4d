import BelayCore
import BelayFaults

extension ScenarioCatalog {
    static let identity: [Scenario] = [
        Scenario(
            "old-echo-after-new-open", "What an old connection still says does not reach the new",
            proves: ["W1", "W2", "W7", "W15"],
            plan: [FaultRule(on: 1, at: .message(1), .tcp(.wait(milliseconds: 400)))],
            client: .webSocket(),
            steps: [
                .read, .until(.opened), .send("old"), .reconnect, .until(.opened, times: 2),
                .send("new"), .until(.message), .wait(500), .close,
            ],
            expect: [
                .messages(.exactly(1)), .causes([.replaced, .closedLocally]),
                .endpointConnections(.exactly(2)),
            ]),
        Scenario(
            "old-reset-after-new-open", "The reset of an old connection does not touch the new",
            proves: ["W1", "W7", "W16"],
            plan: afterOpening(400, .tcp(.reset)),
            client: .webSocket(),
            steps: [
                .read, .until(.opened), .reconnect, .until(.opened, times: 2), .wait(500),
                .send("still here"), .until(.message), .close,
            ],
            expect: [
                .causes([.replaced, .closedLocally]), .opened(.exactly(2)),
                .messages(.exactly(1)),
            ]),
        Scenario(
            "replaced-in-a-row", "Each replacement has its number, and each end its one cause",
            proves: ["W1", "W14", "W24"],
            client: .webSocket(),
            steps: [
                .read, .until(.attempted), .reconnect, .reconnect, .until(.opened), .reconnect,
                .until(.ended, times: 3), .until(.opened, times: 2), .close,
            ],
            expect: [
                .causes([.replaced, .replaced, .replaced, .closedLocally])
            ]),
        Scenario(
            "send-while-waiting", "A message for a connection that is gone reaches no later one",
            proves: ["W2"],
            plan: [FaultRule(on: 1, at: .opened, .tcp(.fin))],
            client: .webSocket(),
            steps: [
                .read, .until(.waiting), .send("too late"), .until(.opened, times: 2), .wait(100),
                .send("in time"), .until(.message), .close,
            ],
            expect: [
                .sends(.exactly(1)), .messages(.exactly(1)),
                .endpoint(.messageReceived(byteCount: 8), .exactly(0)),
                .endpoint(.messageReceived(byteCount: 7), .exactly(1)),
            ]),
        Scenario(
            "one-cause", "A Close, a FIN and a reset after it are one end with one cause",
            proves: ["W14", "W24"],
            plan: [
                FaultRule(on: 1, at: .message(1), .webSocket(.closeFrame(code: 1011))),
                FaultRule(on: 1, at: .elapsed(milliseconds: 600), .tcp(.reset)),
            ],
            client: .webSocket(),
            steps: [
                .read, .until(.opened), .send("end"), .until(.opened, times: 2), .wait(600), .close,
            ],
            expect: [
                .causes([.peerClosed(code: 1011), .closedLocally]), .messages(.exactly(0)),
            ]),
        Scenario(
            "close-unanswered", "A Close that nobody answers ends at its deadline, by one cause",
            proves: ["W14", "W24"],
            plan: [FaultRule(at: .close, .tcp(.silence))],
            client: .webSocket(.with { $0.closeTimeout = 200 }),
            steps: [.read, .until(.opened), .close],
            expect: [
                .causes([.closedLocally]), .endpoint(.closeReceived(code: 1000), .exactly(1)),
                .readingEnds(.returned),
            ]),
        Scenario(
            "close-answered-by-fin", "Whatever a peer makes of our Close, we ended it",
            proves: ["W24"],
            plan: [FaultRule(at: .close, .tcp(.fin))],
            client: .webSocket(),
            steps: [.read, .until(.opened), .close],
            expect: [
                .causes([.closedLocally]), .endpoint(.closeReceived(code: 1000), .exactly(1)),
                .endpoint(.closeSent(code: 1000), .exactly(0)), .readingEnds(.returned),
            ]),
        Scenario(
            "close-crosses-message", "A message that crosses our Close is not read",
            proves: ["W2", "W24"],
            // The echo, and the answer to our Close behind it, come when we have long closed.
            plan: [FaultRule(at: .message(1), .tcp(.wait(milliseconds: 400)))],
            client: .webSocket(.with { $0.closeTimeout = 1_900 }),
            steps: [.read, .until(.opened), .send("crossing"), .close],
            expect: [
                .messages(.exactly(0)), .endpoint(.messageSent(byteCount: 8), .exactly(1)),
                .ignored("received", .unexpected, .exactly(1)), .causes([.closedLocally]),
                .readingEnds(.returned),
            ]),
    ]
    /// A fault of the first connection, so many milliseconds after it opened: however long that
    /// took on a loaded machine.
    static func afterOpening(_ milliseconds: Int, _ fault: Fault) -> [FaultRule] {
        [
            FaultRule(on: 1, at: .opened, .tcp(.wait(milliseconds: milliseconds))),
            FaultRule(on: 1, at: .opened, fault),
        ]
    }
}
