/// A world to explore: states that can be compared, and what can happen in each.
///
/// Keep `State` small and trivially copyable (no arrays, no strings): a million of them are kept.
public protocol ExploredModel: Sendable {
    /// Everything that decides what can happen next.
    associatedtype State: Hashable & Sendable
    /// One thing that can happen.
    associatedtype Action: Sendable

    /// Where exploration begins.
    var initialStates: [State] { get }

    /// Appends what can happen in `state`, in an order that does not depend on chance.
    func addActions(in state: State, to actions: inout [Action])

    /// Lets `action` happen in `state`.
    func step(_ state: inout State, _ action: Action)

    /// What must hold always, and what must come about at least once.
    var properties: [ExplorationProperty<State, Action>] { get }

    /// The state as a line of a counterexample writes it.
    func describe(_ state: State) -> String

    /// The action as a line of a counterexample writes it.
    func describe(_ action: Action) -> String
}

extension ExploredModel {
    /// The state's own description.
    public func describe(_ state: State) -> String { "\(state)" }

    /// The action's own description.
    public func describe(_ action: Action) -> String { "\(action)" }
}

/// A sentence about a model, and how to see whether it holds.
///
/// An exploration without a `sometimes` may hold because nothing ever happened in it.
public struct ExplorationProperty<State: Sendable, Action: Sendable>: Sendable {
    enum Kind: Sendable {
        case alwaysState(@Sendable (State) -> Bool)
        case alwaysStep(@Sendable (State, Action, State) -> Bool)
        case sometimes(@Sendable (State, Action, State) -> Bool)
    }

    /// The sentence.
    public let name: String
    let kind: Kind

    /// Holds in every reached state. Asked once for each state.
    public static func always(
        _ name: String, _ holds: @escaping @Sendable (State) -> Bool
    ) -> Self {
        Self(name: name, kind: .alwaysState(holds))
    }

    /// Holds for every step: the state before, the action, the state after.
    public static func always(
        _ name: String, step holds: @escaping @Sendable (State, Action, State) -> Bool
    ) -> Self {
        Self(name: name, kind: .alwaysStep(holds))
    }

    /// Holds for at least one step: what was to be explored does come about.
    public static func sometimes(
        _ name: String, step holds: @escaping @Sendable (State, Action, State) -> Bool
    ) -> Self {
        Self(name: name, kind: .sometimes(holds))
    }
}
