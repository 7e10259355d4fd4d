/// One row's worth of a report, whatever it comes from: a run, its evidence file, a checklist.
public struct ReportEntry: Hashable, Sendable {
    /// The scenario's or check's name.
    public let id: String
    /// The requirements it proves.
    public let requirements: [String]
    /// What is said of it.
    public let verdict: Verdict
    /// What was looked at, beside what was observed.
    public let findings: [Finding]
    /// Where the failure happened, in a reader's words; `nil` unless failed.
    public let stage: String?
    /// Why nothing can be concluded; `nil` where something can.
    public let reason: String?

    /// An entry with every part given.
    public init(
        id: String, requirements: [String], verdict: Verdict, findings: [Finding],
        stage: String? = nil, reason: String? = nil
    ) {
        self.id = id
        self.requirements = requirements
        self.verdict = verdict
        self.findings = findings
        self.stage = stage
        self.reason = reason
    }

    /// The entry of a scenario's result.
    public init(_ result: ScenarioResult) {
        self.init(
            id: result.scenario.id, requirements: result.scenario.requirements,
            verdict: result.verdict, findings: result.findings, stage: result.stage?.text,
            reason: result.reason)
    }
}
