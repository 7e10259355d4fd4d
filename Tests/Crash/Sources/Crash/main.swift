// Kills a process that works off an event stream, again and again, and counts the effects.
//
// Usage: Crash SUBJECT FILE [--kills N] [--seed N] [--careless] [--file]
import BelayFaults
import Foundation

let usage = "usage: Crash SUBJECT FILE [--kills N] [--seed N] [--careless] [--file]"
guard CommandLine.arguments.count >= 3 else { fatalError(usage) }
let subject = CommandLine.arguments[1]
let file = CommandLine.arguments[2]
var (kills, seed) = (1_000, 1)
var manner: [String] = []
var options = CommandLine.arguments.dropFirst(3)
while let option = options.popFirst() {
    if option == "--careless" || option == "--file" {
        manner.append(String(option.dropFirst(2)))
        continue
    }
    guard let number = options.popFirst().flatMap({ Int($0) }), number > 0 else {
        fatalError(usage)
    }
    switch option {
    case "--kills": kills = number
    case "--seed": seed = number
    default: fatalError(usage)
    }
}
var generator = SeededGenerator(seed: UInt64(seed))
var faults: [String] = []

let endpoint = Endpoint(limits: EndpointLimits(recordEntries: 0))
let port = try await endpoint.start()
@MainActor func url(count: Int) -> String { "http://127.0.0.1:\(port)/events?count=\(count)" }

/// One life of the subject, until it is killed: while it starts, amid its work, or between an
/// effect and its commit.
@MainActor func liveAndDie() throws {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0:
        let place = Int.random(in: 1...FaultPlan.leastProgress, using: &generator)
        let child = try Child(subject, [url(count: 1_000_000), file, "pause", "\(place)"] + manner)
        try child.wait(for: "effect")
        child.kill()
    case 1:
        let child = try Child(subject, [url(count: 1_000_000), file, "pause", "0"] + manner)
        child.live(milliseconds: Int32.random(in: 0...40, using: &generator))
        child.kill()
    default:
        let child = try Child(subject, [url(count: 1_000_000), file, "pause", "0"] + manner)
        try child.wait(for: "ready")
        child.live(milliseconds: Int32.random(in: 0...120, using: &generator))
        child.kill()
    }
}

/// How often each id was between its effect and its commit when the subject was killed.
var inFlight: [Int: Int] = [:]
@MainActor func count() throws -> Tally {
    guard manner.contains("file") else { return try Tally(file: file) }
    return try Tally(file: file, inFlight: inFlight)
}

var tally = try count()
var lost = 0
for kill in 1...kills {
    let (plan, replays) = FaultPlan.random(after: tally, using: &generator)
    await endpoint.setPlan(plan)
    try liveAndDie()
    let before = tally.greatest
    tally = try count()
    if let id = tally.present { inFlight[id, default: 0] += 1 }
    if manner.contains("file"), tally.twice > 0 {
        faults.append("kill \(kill): \(tally.twice) ids have a wrong number of effects")
    }
    // By the cursor alone the server leaves nothing out. A later replay might mend what is lost.
    if !replays { lost += tally.missing }
    if tally.greatest < before { faults.append("kill \(kill): committed effects are gone") }
    if !tally.isCursorRight { faults.append("kill \(kill): the cursor is not the last event's") }
}

// Nothing goes wrong any more: what is left comes.
let last = tally.greatest + 1
let replay = FaultRule(at: .request, .eventStream(.replayAfter(id: tally.complete)))
await endpoint.setPlan(FaultPlan(rules: tally.hasGap ? [replay] : []))
let code = try Child(subject, [url(count: last), file, "until", "\(last)"] + manner).waitForEnd()
tally = try count()
await endpoint.stop()
if code != 0 { faults.append("the last life ended with code \(code)") }
if !tally.isCursorRight { faults.append("the cursor is not the last event's") }
if tally.greatest != last { faults.append("the greatest id is \(tally.greatest), not \(last)") }
if tally.withoutRecord > 0 { faults.append("\(tally.withoutRecord) effects without a record") }
if tally.withoutEffect > 0 { faults.append("\(tally.withoutEffect) records without an effect") }
lost = max(lost, tally.missing)
for fault in faults.prefix(20) { print("error: \(fault)") }
let repeated = inFlight.values.reduce(0, +)
let allowance = manner.contains("file") ? " more than the \(repeated) that were in flight" : ""
print("\(kills) kills, \(tally.greatest) ids, \(lost) lost, \(tally.twice) twice\(allowance)")
exit(faults.isEmpty && lost == 0 && tally.twice == 0 ? 0 : 1)
