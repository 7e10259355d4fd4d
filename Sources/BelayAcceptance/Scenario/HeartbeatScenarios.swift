import BelayCore
import BelayFaults

extension ScenarioCatalog {
    static let heartbeat: [Scenario] = [
        Scenario(
            "pong-answered", "An answered heartbeat goes on, one ping at a time",
            proves: ["W4", "W5", "W20"],
            client: .webSocket(interval: 80, timeout: 2_000),
            steps: [.read, .until(.answered, times: 3), .close],
            expect: [
                .firstPing(Span(80, within: 3_000)), .pingAfterPong(Span(80, within: 3_000)),
                .pongs(.atLeast(3)), .endpoint(.pingReceived(3), .exactly(1)),
                .causes([.closedLocally]), .endpoint(.closeReceived(code: 1000), .exactly(1)),
            ]),
        Scenario(
            "pong-late", "A pong after the deadline saves nothing, and the next generation starts",
            proves: ["W2", "W6", "W20"],
            plan: [FaultRule(on: 1, at: .ping(1), .pong(.late(milliseconds: 400)))],
            client: .webSocket(interval: 60, timeout: 150),
            steps: [.read, .until(.opened, times: 2), .wait(300), .close],
            expect: [
                .deathAfterPing(Span(150, within: 2_000)), .firstCauses([.heartbeatTimedOut]),
                .opened(.atLeast(2)), .endpoint(.pingReceived(1), .atLeast(1)),
            ]),
        Scenario(
            "pong-at-the-deadline", "A pong that arrives with the deadline is late, every time",
            proves: ["W6", "W9", "W10"],
            plan: [FaultRule(at: .ping(1), .pong(.late(milliseconds: 150)))],
            client: .webSocket(interval: 40, timeout: 150),
            steps: [.read, .until(.ended, times: 3), .close],
            expect: [
                .firstCauses([.heartbeatTimedOut, .heartbeatTimedOut, .heartbeatTimedOut]),
                .pongs(.exactly(0)), .deathAfterPing(Span(150, within: 2_000)),
            ]),
        Scenario(
            "pong-missing", "A heartbeat without an answer closes its connection once",
            proves: ["W6", "W14", "W24"],
            plan: [FaultRule(at: .ping(.every), .pong(.missing))],
            client: .webSocket(interval: 60, timeout: 150),
            steps: [.read, .until(.ended), .until(.opened, times: 2), .close],
            expect: [
                .causes([.heartbeatTimedOut, .closedLocally]),
                .deathAfterPing(Span(150, within: 2_000)),
                .endpoint(.pingReceived(2), .exactly(0)),
            ]),
        Scenario(
            "pong-duplicate", "A pong that comes twice counts once",
            proves: ["W5", "W13", "W19"],
            plan: [FaultRule(at: .ping(.every), .pong(.duplicate))],
            client: .webSocket(interval: 80, timeout: 2_000),
            steps: [.read, .until(.answered, times: 3), .wait(20), .close],
            expect: [
                .pingAfterPong(Span(80, within: 3_000)), .pongs(.atLeast(3)),
                .ignored("unsolicitedPong", .unexpected, .atLeast(2)), .causes([.closedLocally]),
            ]),
        Scenario(
            "pong-wrong", "A pong with another payload answers no ping",
            proves: ["W6", "W13", "W19"],
            plan: [FaultRule(at: .ping(.every), .pong(.wrongPayload()))],
            client: .webSocket(interval: 60, timeout: 200),
            steps: [.read, .until(.opened, times: 2), .close],
            expect: [
                .ignored("unsolicitedPong", .unexpected, .atLeast(1)),
                .causes([.heartbeatTimedOut, .closedLocally]), .pongs(.exactly(0)),
            ]),
        Scenario(
            "pong-unsolicited", "A pong that nobody asked for proves no life",
            proves: ["W6", "W13"],
            plan: [
                FaultRule(on: 1, at: .opened, .pong(.unsolicited())),
                FaultRule(on: 1, at: .ping(.every), .pong(.missing)),
            ],
            client: .webSocket(interval: 60, timeout: 200),
            steps: [.read, .until(.opened, times: 2), .close],
            expect: [
                .ignored("unsolicitedPong", .unexpected, .exactly(1)),
                .causes([.heartbeatTimedOut, .closedLocally]),
            ]),
        Scenario(
            "message-is-no-pong", "Messages do not stand in for a missing pong",
            proves: ["W18"],
            plan: [FaultRule(on: 1, at: .ping(.every), .pong(.missing))],
            client: .webSocket("/ws?count=500&interval=10", interval: 60, timeout: 200),
            steps: [.read, .until(.ended), .close],
            expect: [
                .firstCauses([.heartbeatTimedOut]), .messages(.atLeast(3)),
                .deathAfterPing(Span(200, within: 2_000)), .pongs(.exactly(0)),
            ]),
        Scenario(
            "peer-stalls", "A peer that says nothing more is found out",
            proves: ["W6", "W20"],
            plan: [FaultRule(on: 1, at: .opened, .tcp(.stall))],
            client: .webSocket(interval: 60, timeout: 150),
            steps: [.read, .until(.opened, times: 2), .close],
            expect: [
                .firstPing(Span(60, within: 2_000)), .deathAfterPing(Span(150, within: 2_000)),
                .causes([.heartbeatTimedOut, .closedLocally]),
            ]),
        Scenario(
            "silent-while-awaiting", "Silence ends a connection whose ping is out, without another",
            proves: ["W5", "W24"],
            plan: [FaultRule(on: 1, at: .opened, .tcp(.stall))],
            client: .webSocket(
                interval: 100, timeout: 4_000, .with { $0.idleTimeout = 400 }),
            steps: [.read, .until(.opened, times: 2), .close],
            expect: [
                .firstPing(Span(100, within: 2_000)), .causes([.idleTimedOut, .closedLocally]),
                .endpoint(.pingReceived(2), .exactly(0)),
            ]),
        Scenario(
            "receive-loop", "Reading goes on after each message, beside the heartbeat",
            proves: ["W18", "W21"],
            client: .webSocket("/ws?count=20&interval=10", interval: 40, timeout: 2_000),
            steps: [
                .read, .until(.opened), .send("one"), .send("two"), .send("three"),
                .until(.message, times: 23), .until(.answered, times: 2), .close,
            ],
            expect: [
                .messages(.exactly(23)), .sends(.exactly(3)), .pongs(.atLeast(2)),
                .causes([.closedLocally]),
            ]),
    ]
}
