import BelayCore
import BelayFaults

extension ScenarioCatalog {
    /// The article's matrix, with a path that says what the scenario wants and real requests.
    static let path: [Scenario] = [
        Scenario(
            "path-unknown", "Before the first report the path is unknown, and requests are made",
            proves: ["P1", "P3", "P10"],
            client: .webSocket(),
            steps: [.observePath, .show, .read, .until(.opened), .show, .close],
            expect: [
                .banners([.pathUnknown, .pathUnknown]), .paths([.unknown, .unknown]),
                .outcomes([.none, .succeeded]), .opened(.exactly(1)),
            ]),
        Scenario(
            "path-available-request-fails", "A request that fails changes the outcome alone",
            proves: ["P2", "P10", "P12"],
            plan: [FaultRule(at: .handshake, .http(.status(403)))],
            client: .webSocket(),
            steps: [
                .observePath, .path(PathUpdate(.available)), .show, .read, .until(.readingEnded),
                .show,
            ],
            expect: [
                .paths([.available, .available]),
                .outcomes([.none, .failed(.notAuthorized)]),
                .banners([.none, .requestFailed]),
            ]),
        failed("server-fails", "A server's failure", .http(.status(500)), .serverFailed),
        failed("request-times-out", "A request without an answer", .tcp(.stall), .timedOut),
        Scenario(
            "path-unavailable-request-made", "A path that is reported missing forbids no request",
            proves: ["P3", "P11", "P12"],
            client: .webSocket(),
            steps: [
                .observePath, .path(PathUpdate(.unavailable)), .show, .read, .until(.opened),
                .send("all the same"), .until(.message), .show, .close,
            ],
            expect: [
                .opened(.exactly(1)), .messages(.exactly(1)),
                .outcomes([.none, .succeeded]),
                .banners([.pathUnavailable, .pathContradicted]),
            ]),
        Scenario(
            "path-unavailable-retried", "A path that is reported missing stops no further attempt",
            proves: ["P3", "P11"],
            plan: [FaultRule(on: 1, at: .handshake, .http(.status(503)))],
            client: .webSocket(
                .with {
                    // Longer than a loaded machine takes to pass the report on.
                    $0.wait = 300...350
                    $0.longestWait = 350
                }),
            steps: [
                .observePath, .read, .until(.waiting), .path(PathUpdate(.unavailable)),
                .until(.opened), .show, .close,
            ],
            expect: [
                .waitBetweenAttempts(Span(300, within: 3_000)), .paths([.unavailable]),
                .outcomes([.succeeded]), .endpointConnections(.exactly(2)),
            ]),
        Scenario(
            "path-returns", "A path that comes back takes the banner away, and repeats nothing",
            proves: ["P10"],
            client: .webSocket(),
            steps: [
                .observePath, .read, .until(.opened), .send("once"), .until(.message),
                .path(PathUpdate(.unavailable)), .show, .path(PathUpdate(.available)), .show,
                .wait(150), .close,
            ],
            expect: [
                .banners([.pathUnavailable, .none]), .messages(.exactly(1)),
                .sends(.exactly(1)), .endpoint(.messageReceived(byteCount: 4), .exactly(1)),
                .endpointConnections(.exactly(1)),
            ]),
        Scenario(
            "path-old-observation", "A cancelled observation changes neither state nor flags",
            proves: ["P4", "P7", "P8", "P10"],
            client: .webSocket(),
            steps: [
                .observePath, .path(PathUpdate(.available, expensive: true)), .show,
                .observePath, .show,
                .path(PathUpdate(.unavailable, expensive: true), from: .cancelled), .show,
                .path(PathUpdate(.needsConnection)), .show,
            ],
            expect: [
                .pathVerdicts([.accepted, .stale, .accepted]),
                .paths([.available, .unknown, .unknown, .needsConnection]),
                .expensive([true, false, false, false]),
            ]),
        Scenario(
            "path-sequence", "The article's sequence gives the article's states",
            proves: ["P1", "P5"],
            client: .webSocket(),
            steps: [
                .show, .observePath, .path(PathUpdate(.available, expensive: true)), .show,
                .observePath, .path(PathUpdate(.unavailable), from: .cancelled), .show,
                .path(PathUpdate(.needsConnection)), .show,
                .path(PathUpdate(.available, constrained: true)), .show,
                .path(PathUpdate(.unavailable)), .show, .path(PathUpdate(.available)), .show,
            ],
            expect: [
                .paths([
                    .unknown, .available, .unknown, .needsConnection, .available, .unavailable,
                    .available,
                ]),
                .banners([
                    .pathUnknown, .none, .pathUnknown, .pathOnDemand, .none, .pathUnavailable,
                    .none,
                ]),
                .expensive([false, true, false, false, false, false, false]),
            ]),
        Scenario(
            "path-repeats", "A report that is repeated adds no attempt",
            proves: ["P10"],
            client: ScenarioClient.webSocket(
                .with {
                    $0.attemptLimit = 3
                    $0.wait = 150...160
                }
            ).toNobody,
            steps: [.observePath, .read, .until(.waiting)]
                + Array(repeating: .path(PathUpdate(.available)), count: 10)
                + [.show, .until(.readingEnded)],
            expect: [
                .causes([
                    .connectFailed(.refused), .connectFailed(.refused), .connectFailed(.refused),
                ]),
                .pathVerdicts([.accepted] + Array(repeating: .duplicate, count: 9)),
                .ignored("pathHint", .duplicate, .exactly(0)),
            ]),
        Scenario(
            "path-changes", "A path that changes, though nothing shows, asks the connection",
            proves: ["P3", "P11"],
            client: .webSocket(),
            steps: [
                .observePath, .read, .until(.opened), .path(PathUpdate(.available, change: 1)),
                .path(PathUpdate(.available, change: 2)), .until(.answered), .show, .close,
            ],
            expect: [
                .pings(.exactly(1)), .paths([.available]), .banners([.none]),
                .endpointConnections(.exactly(1)), .opened(.exactly(1)),
            ]),
        Scenario(
            "path-cost", "A change of cost leaves the connection alone",
            proves: ["P10", "P11"],
            client: .webSocket(),
            steps: [
                .observePath, .read, .until(.opened), .path(PathUpdate(.available)), .show,
                .path(PathUpdate(.available, expensive: true)), .show,
                .path(PathUpdate(.available, expensive: true, constrained: true)), .show,
                .send("untouched"), .until(.message), .close,
            ],
            expect: [
                .expensive([false, true, true]), .banners([.none, .none, .none]),
                .pings(.exactly(0)), .endpointConnections(.exactly(1)), .opened(.exactly(1)),
            ]),
        Scenario(
            "user-retries", "A user's retry is answered by a real request, whatever the path says",
            proves: ["P3"],
            plan: [FaultRule(on: 1, at: .handshake, .http(.status(503)))],
            client: .webSocket(
                .with {
                    $0.wait = 3_000...4_000
                    $0.longestWait = 4_000
                }),
            steps: [
                .observePath, .path(PathUpdate(.unavailable)), .read, .until(.waiting), .show,
                .retry, .until(.opened), .show, .close,
            ],
            expect: [
                .waitBetweenAttempts(Span(0, within: 2_000)),
                .outcomes([.failed(.serverFailed), .succeeded]),
                .paths([.unavailable, .unavailable]),
            ]),
    ]

    /// A failure that belongs to the outcome: the path stays what it was.
    private static func failed(
        _ id: String, _ subject: String, _ fault: Fault, _ failure: RequestFailure
    ) -> Scenario {
        Scenario(
            id, "\(subject) is an outcome, and no path", proves: ["P2", "P12"],
            plan: [FaultRule(at: .handshake, fault)],
            client: .webSocket(
                .with {
                    $0.openTimeout = 300
                    $0.attemptLimit = 1
                }),
            steps: [
                .observePath, .path(PathUpdate(.available)), .read, .until(.readingEnded), .show,
            ],
            expect: [
                .paths([.available]), .outcomes([.failed(failure)]), .banners([.requestFailed]),
            ])
    }
}
