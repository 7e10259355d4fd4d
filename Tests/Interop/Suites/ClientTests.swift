import BelayFaults
import Testing

/// A client of others, and whether it offers compression.
struct ClientCase: Sendable, CustomTestStringConvertible {
    let program: Program
    let compresses: Bool

    var testDescription: String {
        "\(program.testDescription), \(compresses ? "compressed" : "plain")"
    }

    static let programs: [Program] = [.websocketsClient, .nodeClient]
    static let all = programs.flatMap { program in
        [true, false].map { ClientCase(program: program, compresses: $0) }
    }

    /// What it says of a conversation with an endpoint that misbehaves by this plan.
    func run(
        _ command: String, plan: FaultPlan = FaultPlan()
    ) async throws -> (lines: [String], record: [EndpointEntry.Event]) {
        let endpoint = Endpoint(plan: plan)
        let port = try await endpoint.start()
        let arguments = [command, "ws://127.0.0.1:\(port)/ws"] + (compresses ? [] : ["--plain"])
        let lines = try await program.run(arguments) { await $0.lines() }
        await endpoint.waitUntil { $0.contains { $0.event == .ended } }
        await endpoint.stop()
        return (lines, await endpoint.record.entries.map(\.event))
    }
}

@Suite(.timeLimit(.minutes(1))) struct `A client of others at our endpoint` {
    @Test(arguments: ClientCase.all)
    func `gets all its messages back, its ping answered, its close confirmed`(
        _ test: ClientCase
    ) async throws {
        let (lines, record) = try await test.run("talk")
        let sizes = [0, 125, 126, 65_535, 65_536, 1 << 20]
        #expect(
            lines == ["opened \(test.compresses ? "permessage-deflate" : "plain")"]
                + sizes.flatMap { ["str \($0) same", "bytes \($0) same"] }
                + ["in three fragments", "pong", "closed 4001 "])
        #expect(record.contains(.closeReceived(code: 4_001)))
        #expect(record.contains(.closeSent(code: 4_001)))
    }

    @Test(arguments: ClientCase.programs)
    func `sees the code and reason of the endpoint's close`(_ program: Program) async throws {
        let close = FaultRule(
            at: .message(.only(1)), .webSocket(.closeFrame(code: 4_002, reason: "see you")))
        let (lines, record) = try await ClientCase(program: program, compresses: true)
            .run("listen", plan: FaultPlan(rules: [close]))
        #expect(lines.last == "closed 4002 see you")
        #expect(record.contains(.closeReceived(code: 4_002)))
    }

    @Test(arguments: ClientCase.programs)
    func `that resets is seen to`(_ program: Program) async throws {
        let (_, record) = try await ClientCase(program: program, compresses: true).run("reset")
        #expect(record.contains(.resetReceived))
        #expect(record.last == .ended)
    }
}
