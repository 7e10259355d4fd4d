import BelayCore
import Testing

@Suite struct `A traffic policy` {
    struct Row: CustomTestStringConvertible {
        let kind: WorkKind
        let cost: PathCost
        let deferral: Deferral?
        var testDescription: String { "\(kind), \(cost)" }

        init(_ kind: WorkKind, _ expensive: Bool, _ constrained: Bool, _ deferral: Deferral?) {
            self.kind = kind
            cost = PathCost(expensive: expensive, constrained: constrained)
            self.deferral = deferral
        }
    }

    // P11
    @Test(arguments: [
        Row(.requested, false, false, nil), Row(.requested, true, false, nil),
        Row(.requested, false, true, nil), Row(.requested, true, true, nil),
        Row(.anticipated, false, false, nil), Row(.anticipated, true, false, nil),
        Row(.anticipated, false, true, .constrained), Row(.anticipated, true, true, .constrained),
        Row(.maintenance, false, false, nil), Row(.maintenance, true, false, .expensive),
        Row(.maintenance, false, true, .constrained), Row(.maintenance, true, true, .constrained),
    ])
    func `puts off by cost, and never what a person asked for`(_ row: Row) {
        #expect(TrafficPolicy().deferral(of: row.kind, on: row.cost) == row.deferral)
    }

    @Test(
        arguments: WorkKind.allCases, [(false, false), (false, true), (true, false), (true, true)])
    func `puts off what its terms do not allow, and nothing else`(
        _ kind: WorkKind, _ allows: (expensive: Bool, constrained: Bool)
    ) {
        let terms = TrafficPolicy.Terms(
            allowsExpensive: allows.expensive, allowsConstrained: allows.constrained)
        let policy = TrafficPolicy(anticipated: terms, maintenance: terms)
        let applied = kind == .requested ? TrafficPolicy.Terms() : terms
        #expect(policy.terms(for: kind) == applied)
        for (expensive, constrained) in [
            (false, false), (false, true), (true, false), (true, true),
        ] {
            let cost = PathCost(expensive: expensive, constrained: constrained)
            let isRefused =
                expensive && !applied.allowsExpensive || constrained && !applied.allowsConstrained
            #expect((policy.deferral(of: kind, on: cost) != nil) == isRefused)
        }
    }
}
