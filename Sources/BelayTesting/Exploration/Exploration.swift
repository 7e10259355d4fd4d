/// Tries every order of a model's actions, breadth first, to a stated bound.
///
/// Breadth first, so the first violation found has the fewest steps. The order of states does not
/// depend on hash values: the same model gives the same report in every process.
public struct Exploration<Model: ExploredModel>: Sendable {
    /// What is explored.
    public let model: Model
    /// The most steps from an initial state. At least 0.
    public let depth: Int
    /// The most distinct states to keep. Default 2,000,000: about 1 GB at 400 bytes each.
    ///
    /// At least 1, at most 2³² - 2.
    public let stateLimit: Int

    /// An exploration of `model`, bounded by depth and by distinct states.
    public init(_ model: Model, depth: Int, stateLimit: Int = 2_000_000) {
        precondition(depth >= 0, "depth \(depth): at least 0")
        precondition(1...Int(UInt32.max - 1) ~= stateLimit, "stateLimit \(stateLimit)")
        self.model = model
        self.depth = depth
        self.stateLimit = stateLimit
    }

    /// Explores until a property is violated, a bound is reached or nothing new is left.
    public func run() -> ExplorationReport {
        var search = ExplorationSearch(model: model, stateLimit: stateLimit)
        return search.run(depth: depth)
    }
}

/// A violated sentence, the last state kept before it, and the step that shows it; no step if an
/// initial state does.
private struct Violation {
    let name: String
    let parent: Int
    let step: String?
}

/// The state of one run: what was reached, and by which step from where.
private struct ExplorationSearch<Model: ExploredModel> {
    typealias State = Model.State
    typealias Action = Model.Action

    private let model: Model
    private let stateLimit: Int
    /// Names and predicates apart: the inner loop touches only predicates.
    private let stateNames: [String]
    private let stateRules: [@Sendable (State) -> Bool]
    private let stepNames: [String]
    private let stepRules: [@Sendable (State, Action, State) -> Bool]
    private var unseenNames: [String]
    private var unseenMarks: [@Sendable (State, Action, State) -> Bool]

    private var visited = VisitedStates<State>()
    /// For each state after the initial ones the state it was first reached from, and by what.
    private var parents: [UInt32] = []
    private var actions: [Action] = []
    private var initialCount = 0
    private var generated = 0

    init(model: Model, stateLimit: Int) {
        self.model = model
        self.stateLimit = stateLimit
        var ofStates: [(String, @Sendable (State) -> Bool)] = []
        var ofSteps: [(String, @Sendable (State, Action, State) -> Bool)] = []
        var marks: [(String, @Sendable (State, Action, State) -> Bool)] = []
        for property in model.properties {
            switch property.kind {
            case .alwaysState(let holds): ofStates.append((property.name, holds))
            case .alwaysStep(let holds): ofSteps.append((property.name, holds))
            case .sometimes(let holds): marks.append((property.name, holds))
            }
        }
        stateNames = ofStates.map(\.0)
        stateRules = ofStates.map(\.1)
        stepNames = ofSteps.map(\.0)
        stepRules = ofSteps.map(\.1)
        unseenNames = marks.map(\.0)
        unseenMarks = marks.map(\.1)
    }

    mutating func run(depth: Int) -> ExplorationReport {
        for state in model.initialStates where visited.insert(state) {
            initialCount += 1
            generated += 1
            if let name = brokenRule(of: state) {
                let index = visited.count - 1
                return report(0, .violated, Violation(name: name, parent: index, step: nil))
            }
        }
        var level = 0..<visited.count
        var reached = 0
        var choices: [Action] = []
        while !level.isEmpty {
            guard reached < depth else { return report(reached, .depthLimit) }
            for index in level {
                if let violation = expand(index, &choices) {
                    return report(reached + 1, .violated, violation)
                }
                guard visited.count <= stateLimit else { return report(reached, .stateLimit) }
            }
            level = level.upperBound..<visited.count
            reached += 1
        }
        // The last level only led back: it adds no depth.
        return report(max(reached - 1, 0), .exhausted)
    }

    /// Takes every step from one state.
    private mutating func expand(_ index: Int, _ choices: inout [Action]) -> Violation? {
        let before = visited[index]
        choices.removeAll(keepingCapacity: true)
        model.addActions(in: before, to: &choices)
        for action in choices {
            var after = before
            model.step(&after, action)
            generated += 1
            for rule in stepRules.indices where !stepRules[rule](before, action, after) {
                return Violation(name: stepNames[rule], parent: index, step: line(action, after))
            }
            if !unseenMarks.isEmpty { look(before, action, after) }
            guard visited.insert(after) else { continue }
            parents.append(UInt32(index))
            actions.append(action)
            if let name = brokenRule(of: after) {
                return Violation(name: name, parent: index, step: line(action, after))
            }
        }
        return nil
    }

    private func brokenRule(of state: State) -> String? {
        for rule in stateRules.indices where !stateRules[rule](state) {
            return stateNames[rule]
        }
        return nil
    }

    /// Crosses off what came about. Soon there is nothing left to look for.
    private mutating func look(_ before: State, _ action: Action, _ after: State) {
        for mark in unseenMarks.indices.reversed() where unseenMarks[mark](before, action, after) {
            unseenMarks.remove(at: mark)
            unseenNames.remove(at: mark)
        }
    }

    private func report(
        _ depth: Int, _ ending: ExplorationReport.Ending, _ violation: Violation? = nil
    ) -> ExplorationReport {
        ExplorationReport(
            uniqueStates: visited.count, generatedStates: generated, depth: depth, ending: ending,
            unseen: unseenNames,
            counterexample: violation.map {
                ExplorationReport.Counterexample(property: $0.name, steps: steps(to: $0))
            })
    }

    /// The way from an initial state, a line a step.
    private func steps(to violation: Violation) -> [String] {
        var lines: [String] = []
        if let step = violation.step { lines.append(step) }
        var index = violation.parent
        while index >= initialCount {
            lines.append(line(actions[index - initialCount], visited[index]))
            index = Int(parents[index - initialCount])
        }
        lines.append(model.describe(visited[index]))
        return lines.reversed()
    }

    private func line(_ action: Action, _ state: State) -> String {
        "\(model.describe(action))  ->  \(model.describe(state))"
    }
}
