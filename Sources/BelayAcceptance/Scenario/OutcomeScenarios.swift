import BelayCore
import BelayFaults

extension ScenarioCatalog {
    /// How an attempt or a connection ends, each with its own cause. `pong-answered` and
    /// `pong-late` are the article's other two outcomes.
    static let outcomes: [Scenario] = [
        Scenario(
            "closed-directly", "A connection that ends without a Close has vanished",
            proves: ["W20", "W24"],
            plan: [FaultRule(on: 1, at: .opened, .tcp(.fin))],
            client: .webSocket(),
            steps: [.read, .until(.opened, times: 2), .close],
            expect: [.causes([.peerVanished, .closedLocally]), .opened(.exactly(2))]),
        Scenario(
            "closed-by-reset", "A reset is its own cause, and is come back from",
            proves: ["W20", "W24"],
            plan: [FaultRule(on: 1, at: .elapsed(milliseconds: 80), .tcp(.reset))],
            client: .webSocket(),
            steps: [.read, .until(.opened, times: 2), .close],
            expect: [
                .causes([.reset, .closedLocally]), .opened(.exactly(2)),
                .waitBetweenAttempts(Span(120, within: 2_000)),
            ]),
        Scenario(
            "closed-with-code", "A Close frame is a cause with its code",
            proves: ["W20", "W24"],
            plan: [FaultRule(on: 1, at: .opened, .webSocket(.closeFrame(code: 1012)))],
            client: .webSocket(),
            steps: [.read, .until(.opened, times: 2), .close],
            expect: [
                .causes([.peerClosed(code: 1012), .closedLocally]),
                .endpoint(.closeReceived(code: 1012), .exactly(1)),
            ]),
        Scenario(
            "closed-for-good", "A Close that says the client is wrong is not argued with",
            proves: ["W24"],
            plan: [FaultRule(at: .opened, .webSocket(.closeFrame(code: 1008)))],
            client: .webSocket(),
            steps: [.read, .until(.readingEnded), .wait(200)],
            expect: [
                .causes([.peerClosed(code: 1008)]), .endpointConnections(.exactly(1)),
                .readingEnds(.returned),
            ]),
        Scenario(
            "establishment-refused", "A refused handshake is an outcome of its own, and is retried",
            proves: ["W20", "W24"],
            plan: [FaultRule(on: 1, at: .handshake, .http(.status(503)))],
            client: .webSocket(),
            steps: [.read, .until(.opened), .close],
            expect: [
                .causes([.handshakeRefused(status: 503), .closedLocally]),
                .opened(.exactly(1)), .endpointConnections(.exactly(2)),
            ]),
        Scenario(
            "establishment-forbidden", "A handshake refused for good is not retried",
            proves: ["W20", "W24"],
            plan: [FaultRule(at: .handshake, .http(.status(403)))],
            client: .webSocket(),
            steps: [.read, .until(.readingEnded), .wait(200)],
            expect: [
                .causes([.handshakeRefused(status: 403)]), .endpointConnections(.exactly(1)),
            ]),
        Scenario(
            "establishment-never", "An attempt without an answer is given up at its deadline",
            proves: ["W20", "W24"],
            plan: [FaultRule(on: 1, at: .accepted, .tcp(.stall))],
            client: .webSocket(.with { $0.openTimeout = 250 }),
            steps: [.read, .until(.ended), .close],
            expect: [.firstCauses([.openTimedOut]), .endpoint(.accepted, .atLeast(1))]),
        Scenario(
            "port-refused", "A port at which nobody listens is refused, attempt by attempt",
            proves: ["W20", "W24", "P12"],
            client: ScenarioClient.webSocket(.with { $0.attemptLimit = 3 }).toNobody,
            steps: [.read, .until(.readingEnded)],
            expect: [
                .causes([
                    .connectFailed(.refused), .connectFailed(.refused), .connectFailed(.refused),
                ]),
                .waitBetweenAttempts(Span(120, within: 2_000)), .opened(.exactly(0)),
            ]),
        Scenario(
            "message-with-the-101", "A message in the segment of the 101 is read",
            proves: ["W21"],
            plan: [FaultRule(at: .handshake, .webSocket(.message("welcome")))],
            client: .webSocket(),
            steps: [.read, .until(.message), .close],
            expect: [.messages(.exactly(1)), .causes([.closedLocally])]),
        Scenario(
            "dripping-handshake", "A handshake that comes byte by byte opens",
            proves: ["W20"],
            plan: [FaultRule(at: .accepted, .tcp(.drip(milliseconds: 1)))],
            client: .webSocket(),
            steps: [.read, .until(.opened), .send("drop by drop"), .until(.message), .close],
            expect: [.messages(.exactly(1)), .causes([.closedLocally])]),
    ]
}
