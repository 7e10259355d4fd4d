import BelayTesting
import Foundation
import Testing

/// How deep explorations go: what a suite says, or more where BELAY_EXPLORATION_DEPTH says so.
func explorationDepth(_ usual: Int) -> Int {
    let wanted = ProcessInfo.processInfo.environment["BELAY_EXPLORATION_DEPTH"].flatMap(Int.init)
    return max(usual, wanted ?? 0)
}

extension Exploration {
    /// Explores, prints what was covered where depth was asked for, and fails with the report.
    func expectSatisfied(_ name: String, at location: SourceLocation = #_sourceLocation) {
        var report: ExplorationReport?
        let elapsed = ContinuousClock().measure { report = run() }
        guard let report else { return }
        if ProcessInfo.processInfo.environment["BELAY_EXPLORATION_DEPTH"] != nil {
            let seconds = elapsed / .seconds(1)
            let rate = Int(Double(report.generatedStates) / seconds)
            print("\(name): \(report)\n  \(rate) steps a second, \(elapsed)")
        }
        #expect(report.isSatisfied, "\(name): \(report)", sourceLocation: location)
    }
}
