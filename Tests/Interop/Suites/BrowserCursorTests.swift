import Belay
import BelayFaults
import Testing

/// A browser's EventSource is the standard's own: in every fault of a stream its next request says
/// the cursor that ours says, but where a server replays what was handled. There ours stays.
@Suite(.timeLimit(.minutes(1))) struct `A browser's cursor` {
    @Test func `is ours, whatever goes wrong in the stream`() async throws {
        let stages = try await CursorCase.all.asyncMap { try await Stage($0) }
        let ports = stages.map { "\($0.port)" }.joined(separator: ",")
        let theirs = try await Program.chromium.run(["events=\(ports)"]) { _ in
            try await stages.asyncMap { try await $0.cursors() }
        }
        for stage in stages { await stage.endpoint.stop() }

        let ours = try await CursorCase.all.asyncMap { test in
            let stage = try await Stage(test)
            let url = try ConnectionURL("http://127.0.0.1:\(stage.port)/events?retry=20")
            let feed = Feed(EventStreamRequest(url: url))
            let cursors = try await stage.cursors()
            try await feed.close()
            await stage.endpoint.stop()
            return cursors
        }
        for (test, (theirs, ours)) in zip(CursorCase.all, zip(theirs, ours)) {
            #expect(theirs == test.theirs ?? ours, "\(test.name)")
            #expect(ours == test.cursors, "\(test.name)")
        }
    }

    /// An endpoint with the plan of a case.
    private struct Stage {
        let test: CursorCase
        let endpoint: Endpoint
        let port: UInt16

        init(_ test: CursorCase) async throws {
            self.test = test
            endpoint = Endpoint(plan: FaultPlan(rules: test.rules))
            port = try await endpoint.start()
        }

        /// What the requests of the case said, as soon as all of them came.
        func cursors() async throws -> [String?] {
            let count = test.cursors.count
            let came = await endpoint.waitUntil { Self.cursors(in: $0).count >= count }
            let events = await endpoint.record.entries.map(\.event)
            try #require(came, "\(test.name): \(events)")
            return Array(Self.cursors(in: await endpoint.record.entries).prefix(count))
        }

        private static func cursors(in entries: [EndpointEntry]) -> [String?] {
            entries.compactMap { entry -> String?? in
                guard case .request(let request) = entry.event else { return nil }
                return .some(request.lastEventID)
            }
        }
    }
}

/// A fault of an event stream, and what each request must say of it.
private struct CursorCase: Sendable {
    let name: String
    let cursors: [String?]
    /// What a browser says where it is not the same.
    let theirs: [String?]?
    let rules: [FaultRule]

    init(
        _ name: String, _ cursors: [String?], theirs: [String?]? = nil, _ rules: FaultRule...
    ) {
        (self.name, self.cursors, self.theirs, self.rules) = (name, cursors, theirs, rules)
    }

    private static func on(
        _ moment: MomentPattern, _ fault: Fault, of connection: Int = 1
    ) -> FaultRule {
        FaultRule(on: .only(connection), at: moment, fault)
    }

    private static let end = on(.afterEvent(.only(3)), .tcp(.fin))

    static let all = [
        CursorCase("cut", [nil, "1"], on(.afterEvent(.only(1)), .tcp(.fin))),
        // Not at once: an RST takes along what the client has not read.
        CursorCase(
            "reset", [nil, "2"], on(.afterEvent(.only(2)), .tcp(.wait(milliseconds: 300))),
            on(.beforeEvent(.only(3)), .tcp(.reset))),
        CursorCase("half", [nil, "1"], on(.insideData(.only(2)), .tcp(.fin))),
        CursorCase("cut behind an id", [nil, "1"], on(.afterID(.only(2)), .tcp(.fin))),
        CursorCase("no blank line", [nil, "2"], on(.beforeBlankLine(.only(3)), .tcp(.fin))),
        CursorCase(
            "one byte at a time", [nil, "1"],
            on(.responseSent, .tcp(.drip(milliseconds: 1))),
            on(.insideData(.only(2)), .tcp(.fin))),
        CursorCase("gap", [nil, "3"], on(.beforeEvent(.only(2)), .tcp(.silence)), end),
        CursorCase(
            "duplicate", [nil, "2"], on(.beforeEvent(.only(2)), .eventStream(.duplicateEvent)),
            on(.afterEvent(.only(2)), .tcp(.fin))),
        CursorCase(
            "late, behind the end", [nil, "3"],
            on(.beforeEvent(.only(2)), .eventStream(.lateEvent(milliseconds: 50))),
            on(.elapsed(milliseconds: 400), .tcp(.fin))),
        CursorCase(
            "cleared", [nil, nil], on(.afterEvent(.only(2)), .eventStream(.resetID)),
            on(.beforeEvent(.only(3)), .tcp(.fin))),
        CursorCase(
            "cleared, and set again", [nil, "3"],
            on(.afterEvent(.only(1)), .eventStream(.resetID)), end),
        CursorCase(
            "replayed", [nil, "3", "3"], theirs: [nil, "3", "2"], end,
            on(.request, .eventStream(.replayAfter(id: 0)), of: 2),
            on(.afterEvent(.only(2)), .tcp(.fin), of: 2)),
        CursorCase(
            "a comment and a blank line within an event", [nil, "2"],
            on(.afterID(.only(2)), .eventStream(.comment())),
            on(.afterEvent(.only(2)), .tcp(.fin))),
        CursorCase(
            "a comment between events", [nil, "1"],
            on(.afterEvent(.only(1)), .eventStream(.comment())),
            on(.beforeEvent(.only(2)), .tcp(.fin))),
        // Reading goes on at the endpoint; for the client it is the end.
        CursorCase("half-closed", [nil, "1"], on(.afterEvent(.only(1)), .tcp(.halfClose))),
        CursorCase("half a head", [nil, nil], on(.response, .tcp(.half(then: .fin)))),
        CursorCase(
            "half an event, cut", [nil, "1"], on(.beforeEvent(.only(2)), .tcp(.half(then: .fin)))),
        CursorCase(
            "half an event, stalled", [nil, "1"],
            on(.beforeEvent(.only(2)), .tcp(.half(then: .stall))),
            on(.elapsed(milliseconds: 400), .tcp(.fin))),
        // Neither ends a silence by itself here: the cut does.
        CursorCase(
            "stalled", [nil, "2"], on(.afterEvent(.only(2)), .tcp(.stall)),
            on(.elapsed(milliseconds: 400), .tcp(.fin))),
        CursorCase(
            "stalled, reset", [nil, "2"], on(.afterEvent(.only(2)), .tcp(.stall)),
            on(.elapsed(milliseconds: 400), .tcp(.reset))),
        CursorCase(
            "in slices", [nil, "2"],
            on(.responseSent, .tcp(.slice(bytes: 5, milliseconds: 3))),
            on(.insideData(.only(3)), .tcp(.fin))),
        CursorCase(
            "with latency", [nil, "2"],
            on(.responseSent, .tcp(.latency(milliseconds: 30, jitter: 20))),
            on(.afterEvent(.only(2)), .tcp(.fin))),
        // Its blank line ends the event, which has no data so far, and an id.
        CursorCase(
            "a reconnection time within an event", [nil, "2"],
            on(.afterID(.only(2)), .eventStream(.retry(milliseconds: 20))),
            on(.insideData(.only(2)), .tcp(.fin))),
        CursorCase(
            "a reconnection time between events", [nil, "2"],
            on(.afterEvent(.only(1)), .eventStream(.retry(milliseconds: 50))),
            on(.beforeEvent(.only(3)), .tcp(.fin))),
    ]
}

extension Sequence {
    fileprivate func asyncMap<Value>(
        _ transform: (Element) async throws -> Value
    ) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
