// What the pasted evidence says of each check.
extension FilledChecklist {
    /// One entry for each check, in the checklist's order.
    public var entries: [ReportEntry] {
        DeviceChecklist.all.map { check in
            guard let lines = evidence[check.id], !lines.isEmpty else {
                return ReportEntry(
                    id: check.id, requirements: check.requirements, verdict: .inconclusive,
                    findings: [], reason: "not tried")
            }
            let findings = [Self.order(of: check.expected, in: lines), Self.identity(in: lines)]
            return ReportEntry(
                id: check.id, requirements: check.requirements,
                verdict: findings.allSatisfy(\.isMet) ? .passed : .failed, findings: findings)
        }
    }

    /// The expected lines come in their order.
    private static func order(of expected: [ExpectedLine], in lines: [EvidenceLine]) -> Finding {
        var rest = lines[...]
        for (place, line) in expected.enumerated() {
            guard let index = rest.firstIndex(where: line.matches) else {
                return Finding(
                    "expected lines", threshold: "\(expected.count) in order",
                    observed: "\(place), then not: \(line.meaning)", isMet: false, excuse: .none)
            }
            rest = rest[(index + 1)...]
        }
        return Finding(
            "expected lines", threshold: "\(expected.count) in order",
            observed: "\(expected.count)", isMet: true, excuse: .none)
    }

    /// Nothing of an older generation was taken over, whatever the device did (law 1).
    private static func identity(in lines: [EvidenceLine]) -> Finding {
        let stale = lines.count { line in
            guard line.kind == .connection, line.verdict == "accepted",
                let incoming = line.inputGeneration, let present = line.generation
            else { return false }
            return incoming < present
        }
        return Finding(
            "stale inputs taken over", threshold: "0", observed: "\(stale)", isMet: stale == 0,
            excuse: .none)
    }
}
