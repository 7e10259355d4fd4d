import BelayCore
import Testing

@testable import BelayFaults

@Suite struct `A judge of faults` {
    private static let pong: [UInt8] = [0x8A, 1, 0x31]

    private func judge(_ rules: [FaultRule], seed: UInt64 = 0, connection: Int = 1) -> FaultJudge {
        FaultJudge(plan: FaultPlan(seed: seed, rules: rules), connection: connection)
    }

    struct Strike: CustomTestStringConvertible {
        let rule: Occurrence
        let number: Int
        let strikes: Bool
        var testDescription: String { "\(rule) at \(number)" }
    }

    private static let strikes = [
        Strike(rule: .every, number: 1, strikes: true),
        Strike(rule: .every, number: 99, strikes: true),
        Strike(rule: .only(2), number: 1, strikes: false),
        Strike(rule: 2, number: 2, strikes: true),
        Strike(rule: .only(2), number: 3, strikes: false),
        Strike(rule: .first(2), number: 2, strikes: true),
        Strike(rule: .first(2), number: 3, strikes: false),
        Strike(rule: .from(2), number: 1, strikes: false),
        Strike(rule: .from(2), number: 2, strikes: true),
        Strike(rule: .from(2), number: 3, strikes: true),
    ]

    @Test(arguments: strikes)
    func `strikes on the connections of its rule`(_ strike: Strike) {
        let rule = FaultRule(on: strike.rule, at: .opened, .tcp(.fin))
        var judge = judge([rule], connection: strike.number)
        let verdict = judge.verdict(at: Moment(.opened), offer: [], now: 0)
        #expect((verdict != nil) == strike.strikes)
        #expect(judge.concerns(.opened) == strike.strikes)
    }

    @Test(arguments: strikes)
    func `strikes at the moments of its rule`(_ strike: Strike) {
        var judge = judge([FaultRule(at: .ping(strike.rule), .pong(.missing))])
        let verdict = judge.verdict(at: Moment(.ping, strike.number), offer: [], now: 0)
        #expect((verdict != nil) == strike.strikes)
        #expect(judge.verdict(at: Moment(.message, strike.number), offer: [], now: 0) == nil)
    }

    @Test func `lets what proceeds be struck by the next rule`() {
        var judge = judge([
            FaultRule(at: .ping(1), .tcp(.wait(milliseconds: 5))),
            FaultRule(at: .ping(1), .pong(.duplicate)),
            FaultRule(at: .ping(1), .webSocket(.message("m"))),
        ])
        let verdict = judge.verdict(at: Moment(.ping, 1), offer: Self.pong, now: 0)
        #expect(
            verdict?.steps == [
                .wait(5), .proceed,
                .send([0x81, 1, 0x6D], note: .messageSent(byteCount: 1)), .proceed,
            ])
    }

    @Test func `asks no rule after one that lets nothing proceed`() {
        var judge = judge([
            FaultRule(at: .ping(1), .pong(.missing)), FaultRule(at: .ping(1), .tcp(.reset)),
        ])
        let verdict = judge.verdict(at: Moment(.ping, 1), offer: Self.pong, now: 0)
        #expect(verdict?.steps == [])
    }

    @Test func `hands an altered head to the next rule`() throws {
        let head = Array("HTTP/1.1 200 OK\r\nContent-Type: a\r\n\r\n".utf8)
        var judge = judge([
            FaultRule(at: .response, .http(.contentType("b"))),
            FaultRule(at: .response, .http(.field(name: "X", value: "y"))),
            FaultRule(at: .response, .tcp(.half(then: .stall))),
        ])
        let struck = judge.verdict(at: Moment(.response), offer: head, now: 0)
        let verdict = try #require(struck)
        let whole = "HTTP/1.1 200 OK\r\nContent-Type: b\r\nX: y\r\n\r\n"
        #expect(String(decoding: verdict.offer, as: UTF8.self) == whole)
        #expect(verdict.steps == [.send(Array(whole.utf8.prefix(whole.utf8.count / 2))), .stall])
    }

    @Test func `keeps its chance and forgets its rules under another plan`() {
        let slice = FaultRule(at: .opened, .tcp(.slice(bytes: 9)))
        var judge = judge([slice], seed: 1)
        let first = judge.verdict(at: Moment(.opened), offer: [], now: 0)
        judge.replaceRules(with: FaultPlan())
        #expect(judge.verdict(at: Moment(.opened), offer: [], now: 0) == nil)
        judge.replaceRules(with: FaultPlan(rules: [slice]))
        #expect(judge.verdict(at: Moment(.opened), offer: [], now: 0) != first)
    }

    @Test func `names the next moment of time`() {
        let judge = judge([
            FaultRule(at: .elapsed(milliseconds: 50), .tcp(.fin)),
            FaultRule(at: .elapsed(milliseconds: 0), .tcp(.stall)),
            FaultRule(on: 2, at: .elapsed(milliseconds: 10), .tcp(.fin)),
        ])
        #expect(judge.elapsed(after: -1) == 0)
        #expect(judge.elapsed(after: 0) == 50)
        #expect(judge.elapsed(after: 50) == nil)
    }

    // E9
    @Test func `gives the same verdicts for the same moments`() {
        let rules = [
            FaultRule(at: .accepted, .tcp(.latency(milliseconds: 5, jitter: 9))),
            FaultRule(on: 2, at: .opened, .tcp(.slice(bytes: 40))),
            FaultRule(at: .ping(.from(2)), .pong(.wrongPayload())),
            FaultRule(at: .message(3), .webSocket(.badOpcode(5))),
        ]
        let moments = [
            Moment(.accepted), Moment(.opened), Moment(.ping, 1), Moment(.ping, 2),
            Moment(.message, 3), Moment(.opened),
        ]
        func verdicts(seed: UInt64, connection: Int) -> [Verdict?] {
            var judge = judge(rules, seed: seed, connection: connection)
            return moments.map { judge.verdict(at: $0, offer: Self.pong, now: 0) }
        }
        #expect(verdicts(seed: 3, connection: 2) == verdicts(seed: 3, connection: 2))
        #expect(verdicts(seed: 3, connection: 2) != verdicts(seed: 4, connection: 2))
        #expect(verdicts(seed: 3, connection: 1) != verdicts(seed: 3, connection: 2))
    }
}
