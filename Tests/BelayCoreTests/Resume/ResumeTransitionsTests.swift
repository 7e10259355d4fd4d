import BelayCore
import Testing

@Suite struct `The transitions of resuming` {
    typealias Offer = ResumeMachine.Offer

    @Test func `are the reviewed ones`() throws {
        var table = TransitionTable(
            "ResumeMachine with three attempts an event and waits of at most 1000, 2000 ms.",
            "Read: input, decision, state after; = is unchanged.",
            "Written by Scripts/record; reviewed like code.")
        for (name, machine) in states {
            table.state(name, is: describe(machine))
            for input in inputs {
                guard !input.traps(machine) else {
                    table.trap(input.name)
                    continue
                }
                var after = machine
                let result = input.apply(&after)
                table.row(
                    input.name, result, before: describe(machine), after: describe(after))
            }
        }
        try table.expectReviewed("resume")
    }

    private struct Input {
        let name: String
        let traps: (ResumeMachine) -> Bool
        let apply: (inout ResumeMachine) -> String
    }

    private var states: [(String, ResumeMachine)] {
        let policy = ResumePolicy(attemptLimit: 3)
        let fresh = ResumeMachine(policy: policy)
        let behind1 = ResumeMachine(cursor: EventID("1"), policy: policy)
        var placing = behind1
        _ = fail(&placing)
        var handling = behind1
        _ = handling.offer(offer("2"))
        var failedOnce = handling
        _ = fail(&failedOnce)
        var failedTwice = failedOnce
        _ = fail(&failedTwice)
        var gaveUp = failedTwice
        _ = fail(&gaveUp)
        return [
            ("fresh", fresh), ("ready behind 1", behind1), ("storing failed", placing),
            ("handling 2", handling), ("failed once", failedOnce), ("failed twice", failedTwice),
            ("gave up", gaveUp),
        ]
    }

    private var inputs: [Input] {
        let unlessReady: (ResumeMachine) -> Bool = { !isReady($0) }
        let unlessHandling: (ResumeMachine) -> Bool = { !$0.isHandling }
        let unlessStoring: (ResumeMachine) -> Bool = { !isReady($0) && !isPlacing($0) }
        let unlessAlive: (ResumeMachine) -> Bool = { unlessStoring($0) && unlessHandling($0) }
        return [
            Input(name: "offer 2", traps: unlessReady) { decide(&$0, offer("2")) },
            Input(name: "offer 1 again", traps: unlessReady) { decide(&$0, offer("1")) },
            Input(name: "offer without id behind 1", traps: unlessReady) {
                decide(&$0, Offer(ownID: nil, lastEventID: EventID("1")))
            },
            Input(name: "offer that cleared the id", traps: unlessReady) {
                decide(&$0, Offer(ownID: nil, lastEventID: nil))
            },
            Input(name: "succeeded", traps: unlessHandling) {
                $0.succeeded(); return ""
            },
            Input(name: "failed", traps: unlessAlive) { fail(&$0) },
            Input(name: "abandoned", traps: { _ in false }) {
                $0.abandoned(); return ""
            },
            Input(name: "moved to 9", traps: unlessStoring) {
                $0.moved(to: EventID("9")); return ""
            },
            Input(name: "moved to none", traps: unlessStoring) {
                $0.moved(to: nil); return ""
            },
            Input(name: "restarted at 1", traps: unlessStoring) {
                $0.restarted(at: EventID("1")); return ""
            },
            Input(name: "restarted at 9", traps: unlessStoring) {
                $0.restarted(at: EventID("9")); return ""
            },
            Input(name: "restarted at none", traps: unlessStoring) {
                $0.restarted(at: nil); return ""
            },
        ]
    }
}

private func offer(_ id: String) -> ResumeMachine.Offer {
    ResumeMachine.Offer(ownID: EventID(id), lastEventID: EventID(id))
}

private func decide(_ machine: inout ResumeMachine, _ offer: ResumeMachine.Offer) -> String {
    plain(machine.offer(offer))
}

private func fail(_ machine: inout ResumeMachine) -> String {
    var chance = ExtremeChance.greatest
    return plain(machine.failed(using: &chance))
}

private func isReady(_ machine: ResumeMachine) -> Bool {
    describe(machine).hasPrefix("ready")
}

private func isPlacing(_ machine: ResumeMachine) -> Bool {
    describe(machine).hasPrefix("placing")
}

private func describe(_ machine: ResumeMachine) -> String {
    guard let state = Mirror(reflecting: machine).children.first(where: { $0.label == "state" })
    else { return "?" }
    let cursor = "cursor \(machine.cursor?.text ?? "none")"
    guard let handling = Mirror(reflecting: state.value).children.first else {
        return "\(state.value), \(cursor)"
    }
    let backoff = Mirror(reflecting: handling.value).children.compactMap { $0.value as? Backoff }
    let name = handling.label ?? "?"
    return "\(name), failures \(backoff.first?.failures ?? 0), \(cursor)"
}
