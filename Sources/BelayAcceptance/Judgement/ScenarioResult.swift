public import BelayCore

/// A scenario's verdict, with every threshold beside what was observed.
public struct ScenarioResult: Hashable, Sendable {
    /// What was tried.
    public let scenario: Scenario
    /// What the run says of it.
    public let verdict: Verdict
    /// Where the failure happened; `nil` unless failed.
    public let stage: Stage?
    /// Why nothing can be concluded; `nil` unless inconclusive.
    public let reason: String?
    /// The expectations beside what was observed, in the scenario's order.
    public let findings: [Finding]
    /// From the scenario's first step to its last, in milliseconds.
    public let duration: Milliseconds

    /// The first finding that was not met, or else the first: the one line a table has room for.
    public var headline: Finding? {
        findings.first { !$0.isMet } ?? findings.first
    }

    /// Judges the evidence of one run of a scenario.
    public init(_ scenario: Scenario, _ evidence: Evidence, _ course: ScenarioCourse) {
        let expectations = scenario.expectations + ScenarioExpectation.standing
        let judged = expectations.map { ($0, $0.finding(in: evidence)) }
        var findings = judged.map(\.1)
        if let steps = course.finding(of: scenario) { findings.insert(steps, at: 0) }

        let unmet = judged.filter { !$0.1.isMet }
        let reason = course.reason(evidence)
        let isExcused = course.isCutShort || findings.allSatisfy { $0.isMet || $0.excuse == .stall }
        self.scenario = scenario
        self.findings = findings
        duration = course.duration
        if course.isWhole(evidence), unmet.isEmpty {
            (verdict, stage, self.reason) = (.passed, nil, nil)
        } else if let reason, isExcused {
            (verdict, stage, self.reason) = (.inconclusive, nil, reason)
        } else {
            let stage = StageRule.stage(of: unmet.map(\.0), in: evidence)
            // Where only the steps were not done, something did not come when it was due.
            (verdict, self.stage, self.reason) = (.failed, stage ?? .scheduling, nil)
        }
    }
}

/// How the running of a scenario went, whatever its evidence says.
public struct ScenarioCourse: Hashable, Sendable {
    /// How far the steps came.
    public enum End: Hashable, Sendable {
        /// All steps were taken.
        case finished
        /// The step of this place, from 1, was not done within the scenario's limit.
        case overLimit(step: Int)
        /// The run was interrupted.
        case interrupted
        /// It never began: one line that says why.
        case notStarted(String)
    }

    /// How far the steps came.
    public let end: End
    /// From the first step to the last, in milliseconds.
    public let duration: Milliseconds
    /// The longest time for which the whole process stood still, in milliseconds.
    public let stall: Milliseconds

    /// From this length on a stall excuses what came late, in milliseconds.
    ///
    /// Below the shortest time that a scenario gives a client or a peer that does as it should.
    public static let stallLimit: Milliseconds = 100

    /// A course with every part given.
    public init(end: End, duration: Milliseconds, stall: Milliseconds = 0) {
        self.end = end
        self.duration = duration
        self.stall = stall
    }

    /// Whether every step was taken and everything kept that was recorded.
    func isWhole(_ evidence: Evidence) -> Bool {
        end == .finished && evidence.omitted == 0
    }

    /// Whether the evidence ends where no scenario ends: of it nothing can be concluded.
    var isCutShort: Bool {
        switch end {
        case .interrupted, .notStarted: true
        case .finished, .overLimit: false
        }
    }

    /// Why nothing can be concluded from an unmet expectation; `nil` where it can.
    func reason(_ evidence: Evidence) -> String? {
        switch end {
        case .interrupted: return "interrupted"
        case .notStarted(let why): return why
        case .finished, .overLimit: break
        }
        if evidence.omitted > 0 { return "\(evidence.omitted) entries were not kept" }
        return stall >= Self.stallLimit ? "the machine stood still for \(stall) ms" : nil
    }

    /// The steps that were not all taken, as a finding.
    func finding(of scenario: Scenario) -> Finding? {
        guard case .overLimit(let place) = end else { return nil }
        let step = scenario.steps.indices.contains(place - 1) ? scenario.steps[place - 1] : nil
        return Finding(
            "steps", threshold: "\(scenario.steps.count) within \(scenario.limit) ms",
            observed: "stopped at \(place)\(step.map { ": \($0)" } ?? "")", isMet: false)
    }
}
