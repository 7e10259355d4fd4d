import Testing

@testable import BelayCore

/// Three times the longest of two pauses alike, from 24 to 200 ms; shorter than 2 ms is a burst.
private let numbers = LearnedSilence.Policy(multiple: 3, samples: 2, floor: 24, ceiling: 200)

private func learned(_ pauses: Milliseconds..., timeouts: Int = 0) -> LearnedSilence {
    var silence = LearnedSilence(policy: numbers)
    for pause in pauses { silence.heard(after: pause) }
    for _ in 0..<timeouts { silence.timedOut() }
    return silence
}

@Suite struct `A silence that is learnt` {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let silence: LearnedSilence
        let limit: Milliseconds

        init(_ name: String, _ silence: LearnedSilence, _ limit: Milliseconds) {
            (testDescription, self.silence, self.limit) = (name, silence, limit)
        }
    }

    // E9
    @Test(arguments: [
        Row("nothing heard", learned(), .never),
        Row("one pause", learned(20), .never),
        Row("two alike", learned(20, 20), 60),
        Row("two alike within a factor of two, the longer counts", learned(15, 30), 90),
        Row("two that are not alike", learned(10, 30), .never),
        Row("not alike, and then alike", learned(10, 30, 31), 93),
        Row("a burst between them", learned(20, 1, 0, 1, 20), 60),
        Row("nothing but bursts", learned(1, 1, 0, 1, 1, 1), .never),
        Row("short pauses: the floor", learned(2, 2), 24),
        Row("long pauses: the ceiling", learned(90, 90), 200),
        Row("pauses beyond the ceiling", learned(201, 201, 201), .never),
        Row("one beyond the ceiling breaks the row", learned(20, 201, 20), .never),
        Row("a longer one later", learned(20, 20, 50), 150),
        Row("shorter ones later forget nothing", learned(20, 20, 2, 3, 3, 2, 3), 60),
        Row("one beyond the ceiling later is no measure", learned(20, 20, 500), 60),
        Row("one time-out doubles", learned(20, 20, timeouts: 1), 120),
        Row("two time-outs: the ceiling", learned(20, 20, timeouts: 2), 200),
        Row("and then none is judged", learned(20, 20, timeouts: 3), .never),
        Row("a time-out at the ceiling at once", learned(90, 90, timeouts: 1), .never),
        Row("a time-out where nothing is judged", learned(20, timeouts: 1), .never),
    ])
    func `has the limit that the server's pauses say`(_ row: Row) {
        #expect(row.silence.limit == row.limit)
    }

    // E9
    @Test(arguments: 1...3)
    func `is trusted again after regular pauses, twice as many for each time-out`(
        _ timeouts: Int
    ) {
        var silence = learned(20, 20, timeouts: timeouts)
        let before = silence.limit
        for _ in 1..<(2 << timeouts) { silence.heard(after: 20) }
        #expect(silence.limit == before)
        silence.heard(after: 20)
        #expect(silence.limit == learned(20, 20, timeouts: timeouts - 1).limit)
    }

    @Test func `is not trusted again for pauses that are short for its server`() {
        var silence = learned(20, 20, timeouts: 1)
        for _ in 1...1_000 { silence.heard(after: 9) }
        #expect(silence.limit == 120)
    }

    @Test func `is mended by a pause twice as long, which explains the time-outs`() {
        var silence = learned(20, 20, timeouts: 1)
        silence.heard(after: 30)
        #expect(silence.limit == 180)
        silence = learned(10, 10, timeouts: 1)
        silence.heard(after: 40)
        #expect(silence.limit == 120)
        silence.timedOut()
        #expect(silence.limit == 200)
    }

    /// Every row of five pauses and time-outs.
    @Test func `stays within floor and ceiling, and never judges a pause it has heard`() {
        let pauses: [Milliseconds?] = [nil, 0, 1, 2, 7, 8, 20, 40, 66, 67, 200, 201, .never]
        var rows: [(LearnedSilence, longest: Milliseconds)] = [
            (LearnedSilence(policy: numbers), 0)
        ]
        for _ in 1...5 {
            rows = rows.flatMap { silence, longest in
                pauses.map { pause in
                    var (next, heard) = (silence, longest)
                    if let pause {
                        next.heard(after: pause)
                        // Beyond the ceiling nothing is promised.
                        if pause <= 200 { heard = max(heard, pause) }
                        if next.limit < silence.limit, silence.limit != .never {
                            Issue.record("\(pause) shortens \(silence.limit) to \(next.limit)")
                        }
                    } else {
                        next.timedOut()
                        if next.limit < silence.limit {
                            Issue.record("a time-out shortens \(silence.limit)")
                        }
                    }
                    return (next, heard)
                }
            }
            // Many rows come to the same.
            var longest: [LearnedSilence: Milliseconds] = [:]
            for (silence, heard) in rows { longest[silence] = max(longest[silence] ?? 0, heard) }
            rows = longest.map { ($0, longest: $1) }
            for (silence, _) in rows where silence.limit != .never {
                #expect((24...200).contains(silence.limit))
            }
        }
        #expect(rows.count > 50)
    }

    struct Server: CustomTestStringConvertible {
        let testDescription: String
        /// Its pauses, again and again; a long one is cut where the client gives up.
        let pauses: [Milliseconds]
    }

    /// Servers whose pauses teach the wrong thing, each through 100,000 pauses.
    @Test(arguments: [
        Server(testDescription: "busy, then quiet", pauses: [2, 2, 2, 2, 150]),
        Server(
            testDescription: "busy, then quiet beyond the ceiling",
            pauses: Array(repeating: 8, count: 50) + [10_000]),
        Server(
            testDescription: "beats, and pauses for the night",
            pauses: Array(repeating: 20, count: 400) + [100_000]),
        Server(testDescription: "pauses that grow", pauses: (2...190).map { $0 }),
        Server(testDescription: "hello, and nothing", pauses: [5, 5, 5_000]),
    ])
    func `never leads to time-outs without end`(_ server: Server) {
        var silence = LearnedSilence(policy: numbers)
        var timeouts = 0
        for number in 0..<100_000 {
            let pause = server.pauses[number % server.pauses.count]
            if pause >= silence.limit {
                timeouts += 1
                silence.timedOut()
            } else {
                silence.heard(after: pause)
            }
        }
        #expect(timeouts <= 16)
    }

    @Test func `has the documented defaults`() {
        let policy = LearnedSilence.Policy()
        #expect(policy.multiple == 3 && policy.samples == 4)
        #expect(policy.floor == 20_000 && policy.ceiling == 300_000)
    }

    @Test func `traps on numbers out of their range`() async {
        await #expect(processExitsWith: .failure) { _ = LearnedSilence.Policy(multiple: 1) }
        await #expect(processExitsWith: .failure) { _ = LearnedSilence.Policy(samples: 1) }
        await #expect(processExitsWith: .failure) { _ = LearnedSilence.Policy(floor: 7) }
        await #expect(processExitsWith: .failure) {
            _ = LearnedSilence.Policy(floor: 20, ceiling: 19)
        }
    }
}
