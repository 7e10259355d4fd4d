public import BelayCore
import BelayTransport

/// Runs scenarios side by side, each with an endpoint of its own, and judges their evidence.
///
/// Cancelling the task that runs it ends every client and endpoint; what is finished by then has
/// its verdict and its evidence. A client that does not end is left behind, and fails its scenario.
public struct Acceptance: Sendable {
    /// What makes an unmet expectation inconclusive instead of failed.
    public enum Excuse: Hashable, Sendable {
        /// A machine that stood still, where the expectation is about time.
        case slowMachine
        /// Nothing: for scenarios that end the same way however slow the machine is.
        case nothing
    }

    /// What is tried, in report order.
    public let scenarios: [Scenario]
    /// What chance is drawn from; printed, so that a run can be repeated.
    public let seed: UInt64
    /// How many scenarios run at once. Default 16: most of their time is waiting.
    public let width: Int
    /// What is excused. Default a slow machine.
    public let excuse: Excuse
    private let transports: AcceptanceTransports

    /// How often a scenario that a slow machine left open is tried again, each time alone.
    static let retries = 2

    /// An acceptance; `width` is at least 1.
    public init(
        _ scenarios: [Scenario], seed: UInt64, transports: AcceptanceTransports, width: Int = 16,
        excuse: Excuse = .slowMachine
    ) {
        precondition(width >= 1, "width \(width): at least 1")
        self.scenarios = scenarios
        self.seed = seed
        self.transports = transports
        self.width = width
        self.excuse = excuse
    }

    /// The present moment of the line that records count on.
    public var now: Milliseconds { transports.domain.now }

    /// Runs all scenarios.
    ///
    /// - Parameters:
    ///   - file: Where each scenario's evidence goes when it ended.
    ///   - progress: Called after each scenario, with the results so far, in order of ending.
    /// - Returns: The results in the scenarios' order; one that was interrupted is inconclusive.
    /// - Throws: `EvidenceFileError` where evidence cannot be kept: what is not kept proves
    ///   nothing.
    public func run(
        evidence file: EvidenceFile? = nil,
        progress: ([ScenarioResult]) -> Void = { _ in }
    ) async throws(EvidenceFileError) -> [ScenarioResult] {
        let gauge = StallGauge()
        let gauging = Task { await gauge.run() }
        defer { gauging.cancel() }
        do {
            let results = try await runSideBySide(gauge, file, progress)
            return inOrder(results)
        } catch let error as EvidenceFileError {
            throw error
        } catch {
            preconditionFailure("only evidence can fail to be kept: \(error)")
        }
    }

    private func runSideBySide(
        _ gauge: StallGauge, _ file: EvidenceFile?, _ progress: ([ScenarioResult]) -> Void
    ) async throws -> [ScenarioResult] {
        try await withThrowingTaskGroup(of: (ScenarioResult, Evidence).self) { group in
            var waiting = scenarios[...]
            for scenario in waiting.prefix(width) {
                group.addTask { await one(scenario, gauge) }
            }
            waiting = waiting.dropFirst(width)
            var results: [ScenarioResult] = []
            var leftOpen: [Scenario] = []
            while let (result, evidence) = try await group.next() {
                if result.isLeftOpen {
                    leftOpen.append(result.scenario)
                } else {
                    try await file?.write(result, evidence)
                    results.append(result)
                    progress(results)
                }
                if !Task.isCancelled, let scenario = waiting.popFirst() {
                    group.addTask { await one(scenario, gauge) }
                }
            }
            for scenario in leftOpen {
                let (result, evidence) = await again(scenario, gauge)
                try await file?.write(result, evidence)
                results.append(result)
                progress(results)
            }
            return results
        }
    }

    /// Alone, a scenario shares the machine with nothing of ours.
    private func again(_ scenario: Scenario, _ gauge: StallGauge) async -> (
        ScenarioResult, Evidence
    ) {
        var last = await one(scenario, gauge)
        for _ in 1..<Self.retries where last.0.isLeftOpen && !Task.isCancelled {
            last = await one(scenario, gauge)
        }
        return last
    }

    private func one(_ scenario: Scenario, _ gauge: StallGauge) async -> (ScenarioResult, Evidence)
    {
        let run = ScenarioRun(scenario, transports: transports, seed: seed)
        let (evidence, course) = await run.run(gauge)
        let judged =
            switch excuse {
            case .slowMachine: course
            case .nothing: ScenarioCourse(end: course.end, duration: course.duration)
            }
        return (ScenarioResult(scenario, evidence, judged), evidence)
    }

    private func inOrder(_ results: [ScenarioResult]) -> [ScenarioResult] {
        scenarios.map { scenario in
            results.first { $0.scenario.id == scenario.id }
                ?? ScenarioResult(
                    scenario, Evidence(), ScenarioCourse(end: .interrupted, duration: 0))
        }
    }
}
