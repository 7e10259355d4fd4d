import BelayCore

// What the path says and what the screen shows.
extension ScenarioExpectation {
    func pathFinding(_ evidence: Evidence) -> Finding {
        switch self {
        case .banners(let banners):
            .list("banner", banners, Self.shown(evidence).map(\.banner), { "\($0)" })
        case .paths(let states):
            .list("path", states, Self.shown(evidence).map(\.path), { "\($0)" })
        case .outcomes(let outcomes):
            .list("outcome", outcomes, Self.shown(evidence).map(\.outcome), \.text)
        case .expensive(let flags):
            .list("expensive", flags, Self.shown(evidence).map(\.expensive), { "\($0)" })
        case .pathVerdicts(let verdicts):
            .list(
                "reports of the path", verdicts, evidence.paths.map(\.verdict), { "\($0.name)" })
        default:
            preconditionFailure("\(self) is judged elsewhere")
        }
    }

    private struct Shown {
        let banner: Banner
        let path: PathState
        let outcome: RequestOutcome
        let expensive: Bool
    }

    private static func shown(_ evidence: Evidence) -> [Shown] {
        evidence.app.compactMap { record in
            guard case .shown(let banner, let path, let outcome, let expensive) = record.event
            else { return nil }
            return Shown(banner: banner, path: path, outcome: outcome, expensive: expensive)
        }
    }
}

extension RequestOutcome {
    /// The outcome as a report writes it.
    var text: String {
        switch self {
        case .none: "none"
        case .succeeded: "succeeded"
        case .failed(let failure): "\(failure)"
        }
    }
}
