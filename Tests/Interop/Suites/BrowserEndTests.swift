import Belay
import BelayFaults
import Testing

/// What ends a browser's EventSource for good, and what ours makes of it.
@Suite(.timeLimit(.minutes(1))) struct `A browser's event stream` {
    struct Answer: Sendable {
        let name: String
        /// Whether ours asks again.
        let isAskedAgain: Bool
        let fault: Fault

        static let all = [
            Answer(name: "503", isAskedAgain: true, fault: .http(.status(503))),
            Answer(name: "500", isAskedAgain: true, fault: .http(.status(500))),
            Answer(name: "429", isAskedAgain: true, fault: .http(.status(429, retryAfter: 1))),
            Answer(name: "404", isAskedAgain: false, fault: .http(.status(404))),
            Answer(name: "204", isAskedAgain: false, fault: .http(.status(204))),
            Answer(
                name: "a wrong type", isAskedAgain: false,
                fault: .http(.contentType("text/html"))),
        ]
    }

    @Test func `ends for good by any answer that is no stream; ours comes back from some`()
        async throws
    {
        let endpoints = Answer.all.map { answer in
            Endpoint(plan: FaultPlan(rules: [FaultRule(at: .response, answer.fault)]))
        }
        var ports: [UInt16] = []
        for endpoint in endpoints { ports.append(try await endpoint.start()) }
        let list = ports.map { "\($0)" }.joined(separator: ",")
        try await Program.chromium.run(["ended=\(list)"]) { browser in
            var ended: Set<String> = []
            for _ in ports { ended.insert(try await browser.says("ended")) }
            #expect(ended == Set(ports.map { "\($0)" }))
        }
        // At the same time: some wait before they ask again.
        try await withThrowingTaskGroup { group in
            for (answer, (endpoint, port)) in zip(Answer.all, zip(endpoints, ports)) {
                // The browser asked once.
                #expect(await Self.requests(of: endpoint) == 1, "\(answer.name)")
                group.addTask { try await Self.ask(endpoint, at: port, answer) }
            }
            try await group.waitForAll()
        }
        for endpoint in endpoints { await endpoint.stop() }
    }

    @Test func `is kept open by comments alone, as ours is`() async throws {
        let theirs = try await Vigil()
        let ports = theirs.ports.map { "\($0)" }.joined(separator: ",")
        try await Program.chromium.run(["events=\(ports)"]) { _ in try await theirs.keep() }

        let ours = try await Vigil()
        let feeds = try ours.ports.map { port in
            let url = try ConnectionURL("http://127.0.0.1:\(port)/events?retry=20")
            return Feed(EventStreamRequest(url: url))
        }
        try await ours.keep()
        for feed in feeds { try await feed.close() }
    }

    /// A stream of comments and nothing else, and a second one beside it that is cut again and
    /// again: its requests tell that time passes, and that the client does ask again.
    private struct Vigil {
        let ports: [UInt16]
        private let commented: Endpoint
        private let cut: Endpoint

        init() async throws {
            commented = Endpoint(
                plan: FaultPlan(rules: [
                    FaultRule(
                        at: .afterEvent(.only(1)), .eventStream(.commentsOnly(milliseconds: 10)))
                ]))
            cut = Endpoint(
                plan: FaultPlan(rules: [
                    FaultRule(at: .responseSent, .tcp(.stall)),
                    FaultRule(at: .elapsed(milliseconds: 400), .tcp(.fin)),
                ]))
            ports = [try await commented.start(), try await cut.start()]
        }

        /// Until the stream that is cut was asked for three times: 0.8 s at the least.
        func keep() async throws {
            try #require(
                await commented.waitUntil { $0.contains { $0.event == .eventSent(id: 1) } })
            try #require(await cut.waitUntil { requests(in: $0) >= 3 })
            let events = await commented.record.entries.map(\.event)
            #expect(await requests(of: commented) == 1, "\(events)")
            #expect(!events.contains { [.finReceived, .resetReceived, .ended].contains($0) })
            await commented.stop()
            await cut.stop()
        }
    }

    /// Ours, after the browser's one request.
    private static func ask(
        _ endpoint: Endpoint, at port: UInt16, _ answer: Answer
    ) async throws {
        let url = try ConnectionURL("http://127.0.0.1:\(port)/events")
        let feed = Feed(EventStreamRequest(url: url))
        guard answer.isAskedAgain else {
            for await status in feed.source.statuses {
                if case .stopped = status { break }
            }
            #expect(await requests(of: endpoint) == 2, "\(answer.name)")
            return
        }
        let came = await endpoint.waitUntil { requests(in: $0) >= 3 }
        #expect(came, "\(answer.name)")
        try await feed.close()
    }

    private static func requests(of endpoint: Endpoint) async -> Int {
        requests(in: await endpoint.record.entries)
    }

    private static func requests(in entries: [EndpointEntry]) -> Int {
        entries.count { if case .request = $0.event { true } else { false } }
    }
}
