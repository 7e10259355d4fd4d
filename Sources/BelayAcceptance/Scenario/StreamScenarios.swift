import BelayCore
import BelayFaults

extension ScenarioCatalog {
    /// What a server may answer and send, right and wrong.
    static let streams: [Scenario] = [
        Scenario(
            "dripping-stream", "A stream that comes byte by byte is the same stream",
            proves: ["E1", "E9"],
            plan: [
                FaultRule(on: 1, at: .responseSent, .tcp(.drip(milliseconds: 2))), over(after: 1),
            ],
            client: .eventStream(),
            steps: toTheEnd,
            expect: whole + [.lastEventIDs([nil, "3"])]),
        Scenario(
            "sliced-stream", "A stream cut at random places is the same stream",
            proves: ["E1", "E11"],
            plan: [
                FaultRule(
                    on: 1, at: .responseSent, .tcp(.slice(bytes: 7, milliseconds: 1))),
                over(after: 1),
            ],
            client: .eventStream("/events?count=40&size=20"),
            steps: toTheEnd,
            expect: [.appliedAll(through: 40), .lastEventIDs([nil, "40"])]),
        Scenario(
            "told-to-stop", "A 204 ends the stream, and nobody asks again",
            proves: ["E10", "E15"],
            plan: [FaultRule(at: .response, .http(.status(204)))],
            client: .eventStream(),
            steps: [.read, .until(.readingEnded), .wait(200)],
            expect: [
                .causes([.toldToStop]), .readingEnds(.returned),
                .endpointConnections(.exactly(1)), .handled([]),
            ]),
        refused("not-found", "A 404 is no stream", status: 404, target: "/nothing"),
        refused(
            "bad-cursor", "A cursor that the server cannot read is answered with 400",
            status: 400, cursor: "no integer"),
        Scenario(
            "wrong-content-type", "A page is no stream, however well it is delivered",
            proves: ["E10"],
            plan: [FaultRule(at: .response, .http(.contentType("text/html")))],
            client: .eventStream(),
            steps: [.read, .until(.readingEnded), .wait(200)],
            expect: [
                .causes([.wrongContentType]), .readingEnds(.closed(.wrongContentType)),
                .handled([]), .endpointConnections(.exactly(1)),
            ]),
        Scenario(
            "server-busy", "A 503 is retried, and nothing is lost",
            proves: ["E10"],
            plan: [FaultRule(on: 1, at: .response, .http(.status(503))), over(after: 2)],
            client: .eventStream(),
            steps: toTheEnd,
            expect: whole + [
                .causes([.handshakeRefused(status: 503), .peerFinished, .toldToStop]),
                .lastEventIDs([nil, nil, "3"]),
            ]),
        Scenario(
            "head-stalls", "A response that does not begin is given up, and asked for again",
            proves: ["E9"],
            plan: [FaultRule(on: 1, at: .response, .tcp(.stall)), over(after: 2)],
            client: .eventStream(.with { $0.openTimeout = 250 }),
            steps: toTheEnd,
            expect: whole + [.firstCauses([.openTimedOut])]),
        Scenario(
            "half-head", "Half a response head is no stream, and is asked for again",
            proves: ["E9", "E10"],
            plan: [FaultRule(on: 1, at: .response, .tcp(.half(then: .fin))), over(after: 2)],
            client: .eventStream(),
            steps: toTheEnd,
            expect: whole + [.firstCauses([.peerVanished]), .lastEventIDs([nil, nil, "3"])]),
        Scenario(
            "endless-head", "A head beyond the limit ends the stream, not the memory",
            proves: ["E10"],
            plan: [FaultRule(at: .response, .http(.longHead(bytes: 1 << 20)))],
            client: .eventStream(),
            steps: toTheEnd,
            expect: [.causes([.limitExceeded]), .readingEnds(.closed(.limitExceeded))]),
        Scenario(
            "reset-at-once", "A connection that is reset before the response is come back from",
            proves: ["E9"],
            plan: [FaultRule(on: 1, at: .request, .tcp(.reset)), over(after: 2)],
            client: .eventStream(),
            steps: toTheEnd,
            expect: whole + [.firstCauses([.reset])]),
        Scenario(
            "stream-port-refused", "A stream from a port at which nobody listens is refused",
            proves: ["E9", "P12"],
            client: ScenarioClient.eventStream(.with { $0.attemptLimit = 2 }).toNobody,
            steps: toTheEnd,
            expect: [
                .causes([.connectFailed(.refused), .connectFailed(.refused)]),
                .readingEnds(.closed(.connectFailed(.refused))),
            ]),
        Scenario(
            "retry-field", "The server's reconnection time replaces the client's first wait",
            proves: ["E11"],
            plan: [
                FaultRule(at: .responseSent, .eventStream(.retry(milliseconds: 30))),
                FaultRule(on: .first(3), at: .afterEvent(1), .tcp(.fin)),
                over(after: 3),
            ],
            client: .eventStream(.with { $0.wait = 20...4_000 }),
            steps: toTheEnd,
            expect: whole + [.waitBetweenAttempts(Span(20, within: 500))]),
        Scenario(
            "id-only-block", "A block without data moves the cursor, and an event inherits it",
            proves: ["E11"],
            plan: [
                // An id, a comment, a blank line; then the data in a block of its own.
                FaultRule(on: 1, at: .afterID(2), .eventStream(.comment())), over(after: 1),
            ],
            client: .eventStream(),
            steps: toTheEnd,
            expect: [
                .handled(["1", "-", "3"]), .cursors(["1", "2", "2", "3"]),
                .lastEventIDs([nil, "3"]), .readingEnds(.returned),
            ]),
        Scenario(
            "empty-id", "An empty id clears the cursor, and what comes again has no second effect",
            proves: ["E6", "E11"],
            plan: [
                FaultRule(on: 1, at: .afterEvent(2), .eventStream(.resetID)),
                FaultRule(on: 1, at: .afterEvent(2), .tcp(.fin)),
                over(after: 2),
            ],
            client: .eventStream(),
            steps: toTheEnd,
            expect: [
                .handled(["1", "2", "3"]), .applied(["1", "2", "3"]), .skipped(.exactly(2)),
                .lastEventIDs([nil, nil, "3"]),
            ]),
        Scenario(
            "comments-only", "Comments break the silence, and are no events",
            proves: ["E11"],
            plan: [FaultRule(at: .afterEvent(1), .eventStream(.commentsOnly(milliseconds: 40)))],
            client: .eventStream(.with { $0.idleTimeout = 500 }),
            steps: [.read, .until(.committed(id: "1")), .wait(800), .close],
            expect: [.causes([.closedLocally]), .handled(["1"]), .readingEnds(.returned)]),
    ]

    private static func refused(
        _ id: String, _ title: String, status: UInt16, target: String = "/events",
        cursor: String? = nil
    ) -> Scenario {
        Scenario(
            id, title, proves: ["E7", "E10"],
            client: .eventStream(target, handler: .with { $0.storedCursor = cursor }),
            steps: [.read, .until(.readingEnded), .wait(200)],
            expect: [
                .causes([.handshakeRefused(status: status)]),
                .readingEnds(.closed(.handshakeRefused(status: status))),
                .endpoint(.response(status: Int(status)), .exactly(1)),
                .endpointConnections(.exactly(1)),
            ])
    }
}
