import BelayCore
import BelayTesting
import CBaselines

extension Comparison {
    /// What asking a machine costs when nothing is due: the price of every early wake-up.
    static func heartbeat(_ scale: Scale) -> Comparison {
        let count = scale.pick(short: 5_000_000, full: 50_000_000)
        let gauge = Gauge.cost("ns", perSecond: 1e9, of: count)
        let baseline: Case.Measure = {
            var due: UInt64 = 0
            let seconds = cpuSeconds { due = baseline_ticks(UInt64(count), farAway) }
            try expectNothing(due)
            return seconds
        }
        return Comparison(
            title: "heartbeat: one call with nothing due", better: .lower,
            subjects: ["belay", "C function"],
            cases: [
                Case(
                    name: "Heartbeat.tick", gauges: [gauge],
                    subjects: [{ try tick(count) }, baseline]),
                Case(
                    name: "ConnectionMachine.handle(.deadlineReached)", gauges: [gauge],
                    subjects: [{ try deadlineReached(count) }, baseline]),
            ])
    }
}

private let farAway: Milliseconds = 1 << 40

private func tick(_ count: Int) throws -> Double {
    var heartbeat = Heartbeat(interval: farAway, timeout: 1)
    let generation = heartbeat.connect()
    heartbeat.opened(generation, now: 0)
    var due: UInt64 = 0
    let seconds = cpuSeconds {
        for index in 0..<count where heartbeat.tick(now: Milliseconds(index & 1023)) != nil {
            due += 1
        }
    }
    try expectNothing(due)
    return seconds
}

private func deadlineReached(_ count: Int) throws -> Double {
    var generator = SeededGenerator(seed: 1)
    var machine = ConnectionMachine(heartbeat: Heartbeat(interval: farAway, timeout: 1))
    _ = machine.handle(.connect, now: 0, using: &generator)
    let generation = machine.generation
    _ = machine.handle(.opened(generation), now: 0, using: &generator)
    var due: UInt64 = 0
    let seconds = cpuSeconds {
        for index in 0..<count {
            let reaction = machine.handle(
                .deadlineReached(generation), now: Milliseconds(index & 1023), using: &generator)
            if reaction.verdict == .accepted { due += 1 }
        }
    }
    try expectNothing(due)
    return seconds
}

private func expectNothing(_ due: UInt64) throws {
    if due != 0 { throw BenchmarkError("heartbeat: something was due") }
}
