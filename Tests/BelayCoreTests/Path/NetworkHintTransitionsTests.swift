import BelayCore
import Testing

@Suite struct `The transitions of a network hint` {
    private struct Input {
        let name: String
        let apply: (inout NetworkHint) -> String
    }

    @Test func `are the reviewed ones`() throws {
        var table = TransitionTable(
            "NetworkHint: each state with each input; g2 is the present observation.",
            "Read: input, verdict, state after; = is unchanged.",
            "Written by Scripts/record; reviewed like code.")
        for (name, hint) in states {
            table.state(name, is: describe(hint))
            for input in inputs {
                var after = hint
                let result = input.apply(&after)
                table.row(input.name, result, before: describe(hint), after: describe(after))
            }
        }
        try table.expectReviewed("network-hint")
    }

    private var states: [(String, NetworkHint)] {
        var restarted = NetworkHint()
        _ = restarted.restart()
        let id = restarted.restart()
        let reported = PathState.allCases.flatMap { path in
            [PathTrait.unknown, .no, .yes].map { trait in
                var hint = restarted
                hint.accept(
                    generation: id, PathUpdate(path, expensive: trait, constrained: trait))
                return ("reported", hint)
            }
        }
        var explained = restarted
        explained.accept(generation: id, PathUpdate(.unavailable, reason: .cellularDenied))
        return [("fresh", NetworkHint()), ("restarted", restarted)] + reported.dropFirst()
            + [("explained", explained)]
    }

    private var inputs: [Input] {
        let reports = [("g1", Generation(1)), ("g2", Generation(2))].flatMap { name, id in
            PathState.allCases.map { path in
                Input(name: "\(name) \(path)") {
                    "\($0.accept(generation: id, PathUpdate(path)))"
                }
            } + [
                Input(name: "\(name) available, expensive") {
                    "\($0.accept(generation: id, PathUpdate(.available, expensive: true)))"
                },
                Input(name: "\(name) available, not constrained") {
                    "\($0.accept(generation: id, PathUpdate(.available, constrained: false)))"
                },
                Input(name: "\(name) available, #2") {
                    "\($0.accept(generation: id, PathUpdate(.available, change: 2)))"
                },
                Input(name: "\(name) unavailable, noCarrier") {
                    "\($0.accept(generation: id, PathUpdate(.unavailable, reason: .noCarrier)))"
                },
                Input(name: "\(name) available, as the article has it") {
                    "\($0.accept(generation: id, state: .available))"
                },
            ]
        }
        return [Input(name: "restart") { "\($0.restart())" }] + reports
    }

    private func describe(_ hint: NetworkHint) -> String {
        let newest = hint.newest
        let traits = [("expensive", newest.expensive), ("constrained", newest.constrained)]
            .filter { $0.1 != .unknown }.map { ", \($0.1 == .yes ? "" : "not ")\($0.0)" }.joined()
        let change = newest.change == 0 ? "" : ", #\(newest.change)"
        let reason = hint.reason.map { ", \($0)" } ?? ""
        return "\(hint.generation) \(hint.state)\(traits)\(change)\(reason)"
    }
}
