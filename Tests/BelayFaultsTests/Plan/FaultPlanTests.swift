import BelayFaults
import Foundation
import Testing

@Suite struct `A fault plan` {
    private static let every: [Fault] = [
        .tcp(.silence), .tcp(.fin), .tcp(.halfClose), .tcp(.reset), .tcp(.stall),
        .tcp(.half(then: .reset)), .tcp(.wait(milliseconds: 3)),
        .tcp(.latency(milliseconds: 5, jitter: 2)), .tcp(.drip(milliseconds: 7, bytes: 2)),
        .tcp(.slice(bytes: 9, milliseconds: 2)),
        .http(.status(503)), .http(.status(429, retryAfter: 2)), .http(.contentType("text/html")),
        .http(.field(name: "X-A", value: "b")), .http(.longHead(bytes: 70_000)),
        .pong(.late(milliseconds: 500)), .pong(.missing), .pong(.duplicate),
        .pong(.wrongPayload()), .pong(.wrongPayload("1")), .pong(.unsolicited(payload: "x")),
        .webSocket(.wrongAccept), .webSocket(.closeFrame(code: 1_006, reason: "no")),
        .webSocket(.message("early")), .webSocket(.ping), .webSocket(.maskedFrame),
        .webSocket(.badOpcode(11)), .webSocket(.reservedBit), .webSocket(.badUTF8),
        .eventStream(.duplicateEvent), .eventStream(.lateEvent(milliseconds: 4)),
        .eventStream(.replayAfter(id: 0)), .eventStream(.resetID),
        .eventStream(.retry(milliseconds: 70)), .eventStream(.comment("hi")),
        .eventStream(.commentsOnly(milliseconds: 10)),
    ]
    private static let moments: [MomentPattern] = [
        .accepted, .request, .response, .responseSent, .beforeEvent(1), .afterID(.from(2)),
        .insideData(.first(3)), .beforeBlankLine(.every), .afterEvent(4), .end, .handshake,
        .opened, .ping(3), .message(.every), .close, .elapsed(milliseconds: 0),
    ]

    @Test func `reads back every fault and every moment as it was written`() throws {
        let rules = Self.every.enumerated().map { index, fault in
            FaultRule(
                on: index.isMultiple(of: 2) ? .every : .from(index),
                at: Self.moments[index % Self.moments.count], fault)
        }
        let plan = FaultPlan(seed: .max, rules: rules)
        let data = try JSONEncoder().encode(plan)
        #expect(try JSONDecoder().decode(FaultPlan.self, from: data) == plan)
    }

    @Test func `knows in JSON every fault that there is`() {
        let used = Set(
            Self.every.compactMap { fault in
                (try? JSONEncoder().encode([fault])).flatMap {
                    String(decoding: $0, as: UTF8.self).split(separator: "\"").dropFirst().first
                }
            })
        #expect(used == Set(Fault.names.map { Substring($0) }))
    }

    @Test func `reads the example of its documentation`() throws {
        let json = """
            {
              "seed": 7,
              "rules": [
                {"connection": 1, "at": {"afterID": 2}, "fault": "reset"},
                {"connection": 2, "at": {"ping": 3}, "fault": {"latePong": {"milliseconds": 500}}},
                {"connection": {"from": 3}, "at": "accepted",
                 "fault": {"drip": {"milliseconds": 20}}},
                {"at": {"elapsed": 30000}, "fault": "fin"}
              ]
            }
            """
        let plan = FaultPlan(
            seed: 7,
            rules: [
                FaultRule(on: 1, at: .afterID(2), .tcp(.reset)),
                FaultRule(on: 2, at: .ping(3), .pong(.late(milliseconds: 500))),
                FaultRule(on: .from(3), at: .accepted, .tcp(.drip(milliseconds: 20))),
                FaultRule(at: .elapsed(milliseconds: 30_000), .tcp(.fin)),
            ])
        #expect(try JSONDecoder().decode(FaultPlan.self, from: Data(json.utf8)) == plan)
        #expect(try JSONDecoder().decode(FaultPlan.self, from: Data("{}".utf8)) == FaultPlan())
    }

    struct Bad: CustomTestStringConvertible {
        let json: String
        let message: String
        var testDescription: String { json }
    }

    @Test(arguments: [
        Bad(json: "[]", message: "the plan: expected an object"),
        Bad(json: #"{"sed": 1}"#, message: "sed: expected only seed, rules here"),
        Bad(
            json: #"{"seed": -1}"#, message: "seed: expected an integer from 0 to \(UInt64.max)"),
        Bad(json: #"{"rules": 1}"#, message: "rules: expected an array of rules"),
        Bad(json: #"{"rules": [1]}"#, message: "rules[0]: expected an object"),
        Bad(
            json: #"{"rules": [{"at": "opened"}]}"#, message: "rules[0].fault: expected a fault"),
        Bad(
            json: #"{"rules": [{"fault": "fin"}]}"#,
            message: "rules[0].at: expected a moment, like \"opened\" or {\"ping\": 3}"),
        Bad(
            json: #"{"rules": [{"at": "opened", "fault": "fin", "on": 1}]}"#,
            message: "rules[0].on: expected only connection, at, fault here"),
        Bad(
            json: #"{"rules": [{"at": "opened", "fault": "fin", "connection": "all"}]}"#,
            message: """
                rules[0].connection: expected a number from 1, "every", {"first": n} or \
                {"from": n}
                """),
        Bad(
            json: #"{"rules": [{"at": {"ping": {"from": 0}}, "fault": "fin"}]}"#,
            message: "rules[0].at.ping.from: expected an integer from 1 to 2147483647"),
        Bad(
            json: #"{"rules": [{"at": {"opened": 2}, "fault": "fin"}]}"#,
            message: "rules[0].at.opened: expected no number for \"opened\""),
        Bad(
            json: #"{"rules": [{"at": "elapsed", "fault": "fin"}]}"#,
            message: "rules[0].at: expected a kind with its number: {\"elapsed\": 500}"),
        Bad(
            json: #"{"rules": [{"at": "opened", "fault": "latePong"}]}"#,
            message: """
                rules[0].fault.latePong.milliseconds: expected an integer from 0 to 86400000
                """),
        Bad(
            json: #"{"rules": [{"at": "opened", "fault": {"latePong": {"ms": 5}}}]}"#,
            message: "rules[0].fault.latePong.ms: expected only milliseconds here"),
        Bad(
            json: #"{"rules": [{"at": "opened", "fault": {"fin": {"code": 5}}}]}"#,
            message: "rules[0].fault.fin.code: expected no parameter here"),
        Bad(
            json: #"{"rules": [{"at": "opened", "fault": {"status": {"code": 101}}}]}"#,
            message: "rules[0].fault.status.code: expected an integer from 200 to 599"),
        Bad(
            json: #"{"rules": [{"at": "opened", "fault": {"badOpcode": {"opcode": 9}}}]}"#,
            message: """
                rules[0].fault.badOpcode.opcode: expected a reserved opcode, 3 to 7 or 11 to 15
                """),
        Bad(
            json:
                #"{"rules": [{"at": "opened", "fault": {"field": {"name": "a b", "value": ""}}}]}"#,
            message: "rules[0].fault.field.name: expected a field name"),
        Bad(
            json: #"{"rules": [{"at": "opened", "fault": {"contentType": {"value": "a\r\nb"}}}]}"#,
            message: """
                rules[0].fault.contentType.value: expected a field value, without control \
                characters
                """),
        Bad(
            json: #"{"rules": [{"at": "opened", "fault": {"half": {"then": "rst"}}}]}"#,
            message: "rules[0].fault.half.then: expected one of fin, reset, stall"),
    ])
    func `names the place of what cannot be read, and what was expected`(_ bad: Bad) {
        let error = #expect(throws: FaultPlanError.self) {
            try JSONDecoder().decode(FaultPlan.self, from: Data(bad.json.utf8))
        }
        #expect(error?.description == bad.message)
    }

    @Test func `lists the faults that there are when it knows none of that name`() {
        let json = #"{"rules": [{"at": "opened", "fault": "explode"}]}"#
        let error = #expect(throws: FaultPlanError.self) {
            try JSONDecoder().decode(FaultPlan.self, from: Data(json.utf8))
        }
        #expect(error?.path == "rules[0].fault")
        #expect(error?.expected.hasPrefix("one of silence, fin, ") == true)
    }

    @Test func `has no more rules than are read`() {
        let rule = #"{"at": "opened", "fault": "fin"}"#
        let rules = Array(repeating: rule, count: FaultPlan.ruleLimit + 1).joined(separator: ",")
        #expect(throws: FaultPlanError(path: "rules", expected: "at most 1000 rules")) {
            try JSONDecoder().decode(FaultPlan.self, from: Data("{\"rules\": [\(rules)]}".utf8))
        }
    }
}
