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

/// The state of one run: what was reached, and by which step from where.
private struct ExplorationSearch<Model: ExploredModel> {
    typealias State = Model.State
    typealias Action = Model.Action

    /// A violated sentence and the step that shows it; no action if an initial state does.
    private struct Violation {
        let name: String
        let parent: Int
        let last: (action: Action, state: State)?
    }

    private let model: Model
    private let stateLimit: Int
    private let ofStates: [(name: String, holds: @Sendable (State) -> Bool)]
    private let ofSteps: [(name: String, holds: @Sendable (State, Action, State) -> Bool)]
    private var unseen: [(name: String, holds: @Sendable (State, Action, State) -> Bool)]

    private var visited = VisitedStates<State>()
    /// For each state the one it was first reached from, and by what; initial states have none.
    private var origins: [(parent: UInt32, action: Action)?] = []
    private var generated = 0

    init(model: Model, stateLimit: Int) {
        self.model = model
        self.stateLimit = stateLimit
        let properties = model.properties
        ofStates = properties.compactMap {
            if case .alwaysState(let holds) = $0.kind { ($0.name, holds) } else { nil }
        }
        ofSteps = properties.compactMap {
            if case .alwaysStep(let holds) = $0.kind { ($0.name, holds) } else { nil }
        }
        unseen = properties.compactMap {
            if case .sometimes(let holds) = $0.kind { ($0.name, holds) } else { nil }
        }
    }

    mutating func run(depth: Int) -> ExplorationReport {
        for state in model.initialStates where visited.insert(state) {
            origins.append(nil)
            generated += 1
            if let broken = ofStates.first(where: { !$0.holds(state) }) {
                let index = visited.count - 1
                return report(0, .violated, Violation(name: broken.name, parent: index, last: nil))
            }
        }
        var level = 0..<visited.count
        var reached = 0
        var actions: [Action] = []
        while !level.isEmpty {
            guard reached < depth else { return report(reached, .depthLimit) }
            for index in level {
                if let violation = expand(index, &actions) {
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
    private mutating func expand(_ index: Int, _ actions: inout [Action]) -> Violation? {
        let before = visited[index]
        actions.removeAll(keepingCapacity: true)
        model.addActions(in: before, to: &actions)
        for action in actions {
            var after = before
            model.step(&after, action)
            generated += 1
            for property in ofSteps where !property.holds(before, action, after) {
                return Violation(name: property.name, parent: index, last: (action, after))
            }
            if !unseen.isEmpty {
                unseen.removeAll { $0.holds(before, action, after) }
            }
            guard visited.insert(after) else { continue }
            origins.append((UInt32(index), action))
            for property in ofStates where !property.holds(after) {
                return Violation(name: property.name, parent: index, last: (action, after))
            }
        }
        return nil
    }

    private func report(
        _ depth: Int, _ ending: ExplorationReport.Ending, _ violation: Violation? = nil
    ) -> ExplorationReport {
        ExplorationReport(
            uniqueStates: visited.count, generatedStates: generated, depth: depth, ending: ending,
            unseen: unseen.map(\.name),
            counterexample: violation.map {
                ExplorationReport.Counterexample(property: $0.name, steps: steps(to: $0))
            })
    }

    /// The way from an initial state, a line a step.
    private func steps(to violation: Violation) -> [String] {
        var lines: [String] = []
        if let last = violation.last { lines.append(line(last.action, last.state)) }
        var index = violation.parent
        while let origin = origins[index] {
            lines.append(line(origin.action, visited[index]))
            index = Int(origin.parent)
        }
        lines.append(model.describe(visited[index]))
        return lines.reversed()
    }

    private func line(_ action: Action, _ state: State) -> String {
        "\(model.describe(action))  ->  \(model.describe(state))"
    }
}
