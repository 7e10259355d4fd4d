import BelayCore
import Testing

@Suite struct `The transitions of a heartbeat` {
    private typealias Input = (
        name: String, apply: (inout Heartbeat, Milliseconds) -> String
    )

    @Test func `are the reviewed ones`() throws {
        var table = TransitionTable(
            "Heartbeat(interval: 100, timeout: 1000): each state with each input.",
            "Read: input, verdict or action, state after; = is unchanged. Each input is tried one",
            "millisecond before the deadline and at it; two lines where that makes a difference.",
            "Written by Scripts/record; reviewed like code.")
        for (name, heartbeat) in states {
            table.state(name, is: describe(heartbeat))
            let due = heartbeat.nextDeadline ?? 1_500
            for input in inputs {
                let early = outcome(of: input, on: heartbeat, at: due - 1)
                let late = outcome(of: input, on: heartbeat, at: due)
                let before = describe(heartbeat)
                if early == late {
                    table.row(input.name, early.result, before: before, after: early.after)
                } else {
                    for (now, it) in [(due - 1, early), (due, late)] {
                        table.row(
                            "\(input.name) at \(now)", it.result, before: before, after: it.after)
                    }
                }
            }
            table.trap("probe within 0")
        }
        try table.expectReviewed("heartbeat")
    }

    private func outcome(
        of input: Input, on heartbeat: Heartbeat, at now: Milliseconds
    ) -> (result: String, after: String) {
        var after = heartbeat
        let result = input.apply(&after, now)
        return (result, describe(after))
    }

    private var states: [(String, Heartbeat)] {
        let idle = Heartbeat(interval: 100, timeout: 1_000)
        var connecting = idle
        _ = connecting.connect()  // Generation 1 is behind each state, and stale.
        let id = connecting.connect()
        var resting = connecting
        resting.opened(id, now: 0)
        var queued = resting
        _ = queued.tick(now: 100)
        var handedOver = queued
        handedOver.pingHandedOver(id, ping: 1, now: 200)
        var second = queued
        second.pong(id, ping: 1, now: 200)
        _ = second.tick(now: 300)
        var held = resting
        held.hold()
        var heldQueued = second
        heldQueued.hold()
        var heldHandedOver = handedOver
        heldHandedOver.hold()
        var closed = queued
        _ = closed.tick(now: 1_100)
        return [
            ("idle, fresh", idle), ("connecting", connecting), ("resting", resting),
            ("first ping queued", queued), ("first ping handed over", handedOver),
            ("second ping queued", second), ("held", held),
            ("held, second ping queued", heldQueued),
            ("held, first ping handed over", heldHandedOver), ("idle, closed", closed),
        ]
    }

    private var inputs: [Input] {
        let current = Generation(2)
        let old = Generation(1)
        return [
            ("connect", { heartbeat, _ in "\(heartbeat.connect())" }),
            ("opened g2", { "\($0.opened(current, now: $1))" }),
            ("opened g1", { "\($0.opened(old, now: $1))" }),
            ("pong g2", { "\($0.pong(current, now: $1))" }),
            ("pong g2 #1", { "\($0.pong(current, ping: 1, now: $1))" }),
            ("pong g2 #2", { "\($0.pong(current, ping: 2, now: $1))" }),
            ("pong g1 #1", { "\($0.pong(old, ping: 1, now: $1))" }),
            ("pingHandedOver g2 #1", { "\($0.pingHandedOver(current, ping: 1, now: $1))" }),
            ("pingHandedOver g2 #2", { "\($0.pingHandedOver(current, ping: 2, now: $1))" }),
            ("pingHandedOver g1 #1", { "\($0.pingHandedOver(old, ping: 1, now: $1))" }),
            ("tick", { plain($0.tick(now: $1) as Any) }),
            ("ended g2", { heartbeat, _ in "\(heartbeat.ended(current))" }),
            ("ended g1", { heartbeat, _ in "\(heartbeat.ended(old))" }),
            (
                "hold",
                { heartbeat, _ in
                    heartbeat.hold(); return ""
                }
            ),
            (
                "release",
                {
                    $0.release(now: $1); return ""
                }
            ),
            ("probe within 300", { plain($0.probe(now: $1, within: 300) as Any) }),
        ]
    }

    private func describe(_ heartbeat: Heartbeat) -> String {
        let state = Mirror(reflecting: heartbeat).children.first { $0.label == "state" }
        let next = plain(heartbeat.nextDeadline as Any)
        return "\(heartbeat.generation) \(state.map { plain($0.value) } ?? "?"), next \(next)"
    }
}
