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

    /// Whether a slow machine left it open, so that another try may tell.
    public let isLeftOpen: Bool

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
        isLeftOpen = verdict == .inconclusive && !course.isCutShort && evidence.omitted == 0
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
        /// All steps were taken, and the client went on when nobody wanted it any more.
        case notStopped
        /// The run was interrupted.
        case interrupted
        /// It never began: one line that says why.
        case notStarted(String)
    }

    /// How far the steps came.
    public let end: End
    /// From the first step to the last, in milliseconds.
    public let duration: Milliseconds
    /// How far the whole process fell behind meanwhile.
    public let slowness: Slowness

    /// For how long a client may go on when nobody wants it any more, in milliseconds. Above every
    /// scenario's close timeout.
    public static let stopLimit: Milliseconds = 2_000

    /// A course with every part given.
    public init(end: End, duration: Milliseconds, slowness: Slowness = Slowness()) {
        self.end = end
        self.duration = duration
        self.slowness = slowness
    }

    /// Whether every step was taken and everything kept that was recorded.
    func isWhole(_ evidence: Evidence) -> Bool {
        end == .finished && evidence.omitted == 0
    }

    /// Whether the evidence ends where no scenario ends: of it nothing can be concluded.
    var isCutShort: Bool {
        switch end {
        case .interrupted, .notStarted: true
        case .finished, .overLimit, .notStopped: false
        }
    }

    /// Why nothing can be concluded from an unmet expectation; `nil` where it can.
    func reason(_ evidence: Evidence) -> String? {
        switch end {
        case .interrupted: return "interrupted"
        case .notStarted(let why): return why
        case .finished, .overLimit, .notStopped: break
        }
        if evidence.omitted > 0 { return "\(evidence.omitted) entries were not kept" }
        return slowness.excuse(within: duration)
    }

    /// What the course itself lacks, as a finding: steps that were not taken, or the end.
    func finding(of scenario: Scenario) -> Finding? {
        switch end {
        case .finished, .interrupted, .notStarted:
            return nil
        case .overLimit(let place):
            let isStep = scenario.steps.indices.contains(place - 1)
            let step = isStep ? scenario.steps[place - 1] : nil
            return Finding(
                "steps", threshold: "\(scenario.steps.count) within \(scenario.limit) ms",
                observed: "stopped at \(place)\(step.map { ": \($0)" } ?? "")", isMet: false)
        case .notStopped:
            return Finding(
                "end of the client", threshold: "within \(Self.stopLimit) ms",
                observed: "goes on", isMet: false)
        }
    }
}
