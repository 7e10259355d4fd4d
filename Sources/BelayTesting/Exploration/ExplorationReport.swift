/// What an exploration saw, and how far it went.
public struct ExplorationReport: Hashable, Sendable {
    /// Why it ended.
    public enum Ending: Hashable, Sendable {
        /// No action leads to a new state: the model is proved, as far as it is the world.
        case exhausted
        /// Longer orders than the depth were not tried.
        case depthLimit
        /// There were more states than may be kept; the last level is incomplete.
        case stateLimit
        /// An `always` does not hold.
        case violated
    }

    /// A way to break a property, of the fewest steps.
    public struct Counterexample: Hashable, Sendable {
        /// The sentence that does not hold.
        public let property: String
        /// The initial state, then a line for each step.
        public let steps: [String]
    }

    /// Distinct states reached, the initial ones included.
    public let uniqueStates: Int
    /// States computed, repeated ones included: the work done.
    public let generatedStates: Int
    /// Every order of so many steps was tried; where a violation was found, its steps.
    public let depth: Int
    /// Why it ended.
    public let ending: Ending
    /// The names of `sometimes` that never came about.
    public let unseen: [String]
    /// The violation, if one was found.
    public let counterexample: Counterexample?

    /// Nothing was violated, and nothing that must come about was missing.
    public var isSatisfied: Bool { counterexample == nil && unseen.isEmpty }
}

extension ExplorationReport: CustomStringConvertible {
    /// The whole report in lines: what was tried, what was not, and the shortest violation.
    public var description: String {
        var lines = ["\(uniqueStates) states, \(generatedStates) steps; \(scope)"]
        if let counterexample {
            lines.append("violated: \(counterexample.property)")
            for (number, step) in counterexample.steps.enumerated() {
                lines.append("  \(number). \(step)")
            }
        }
        // A run that was cut short says nothing of what it did not come to.
        if counterexample == nil {
            lines += unseen.map { "never came about: \($0)" }
        }
        return lines.joined(separator: "\n")
    }

    private var scope: String {
        switch ending {
        case .exhausted:
            "exhausted: every order of any length, deepest state at depth \(depth)"
        case .depthLimit:
            "every order of \(depth) steps; longer ones were not tried"
        case .stateLimit:
            "every order of \(depth) steps; stopped by the limit of states"
        case .violated:
            "stopped by a violation at depth \(depth)"
        }
    }
}
