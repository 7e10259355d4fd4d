import BelayCore
import BelayFaults

extension ScenarioCatalog {
    static let background: [Scenario] = [
        Scenario(
            "foreground-reuses", "A connection that answers after the background is used again",
            proves: ["W23"],
            client: .webSocket(interval: 60, timeout: 2_000),
            steps: [
                .read, .until(.answered), .background, .wait(250), .foreground, .wait(20),
                .until(.answered, times: 2), .close,
            ],
            expect: [
                .calmInBackground, .pingAfterForeground(Span(0, within: 1_000)),
                .endpointConnections(.exactly(1)), .causes([.closedLocally]),
            ]),
        Scenario(
            "foreground-replaces", "A connection that died in the background is replaced soon",
            proves: ["W23"],
            plan: afterOpening(100, .tcp(.stall)),
            client: .webSocket(.with { $0.probeTimeout = 200 }),
            steps: [
                .read, .until(.opened), .background, .wait(250), .foreground,
                .until(.opened, times: 2), .close,
            ],
            expect: [
                .calmInBackground, .pingAfterForeground(Span(0, within: 1_000)),
                .deathAfterPing(Span(200, within: 2_000)),
                .causes([.heartbeatTimedOut, .closedLocally]),
            ]),
        Scenario(
            "foreground-silent-stream",
            "A stream that says nothing after the background is replaced, and loses nothing",
            proves: ["W23", "E6"],
            plan: [FaultRule(on: 1, at: .afterEvent(1), .tcp(.stall)), over(after: 2)],
            client: .eventStream(.with { $0.probeTimeout = 200 }),
            steps: [
                .read, .until(.committed(id: "1")), .background, .wait(250), .foreground,
                .until(.readingEnded),
            ],
            expect: whole + [
                .calmInBackground, .lastEventIDs([nil, "1", "3"]),
                .causes([.idleTimedOut, .peerFinished, .toldToStop]),
            ]),
        Scenario(
            "background-judges-nothing", "A pong that comes late in the background ends nothing",
            proves: ["W23"],
            plan: [FaultRule(on: 1, at: .ping(1), .pong(.late(milliseconds: 700)))],
            client: .webSocket(interval: 60, timeout: 400),
            steps: [
                .read, .until(.pinged), .background, .wait(900), .foreground,
                .until(.answered, times: 2), .close,
            ],
            expect: [
                .calmInBackground, .pongs(.atLeast(2)), .endpointConnections(.exactly(1)),
                .causes([.closedLocally]),
            ]),
        Scenario(
            "background-attempts-nothing", "In the background no attempt is made, and none is lost",
            proves: ["W23"],
            plan: afterOpening(150, .tcp(.fin)),
            client: .webSocket(),
            steps: [
                .read, .until(.opened), .background, .until(.ended), .wait(250), .foreground,
                .until(.opened, times: 2), .close,
            ],
            expect: [.calmInBackground, .causes([.peerVanished, .closedLocally])]),
        Scenario(
            "foreground-observes-anew",
            "Back in the foreground the path is unknown until it is reported anew",
            proves: ["P1", "P4", "P7"],
            client: .webSocket(),
            steps: [
                .observePath, .read, .until(.opened),
                .path(PathUpdate(.available, expensive: true)), .show,
                // What the system had to say to a suspended app comes late.
                .background, .path(PathUpdate(.unavailable, expensive: true)), .foreground, .show,
                .path(PathUpdate(.unavailable), from: .cancelled), .show,
                .path(PathUpdate(.available)), .show, .until(.answered), .close,
            ],
            expect: [
                .pathVerdicts([.accepted, .stale, .stale, .accepted]),
                .paths([.available, .unknown, .unknown, .available]),
                .expensive([true, false, false, false]), .causes([.closedLocally]),
                .endpointConnections(.exactly(1)),
            ]),
    ]
}
