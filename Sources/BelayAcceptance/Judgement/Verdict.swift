/// What a run says of a scenario.
public enum Verdict: String, Hashable, Sendable, CaseIterable {
    /// Every threshold was kept.
    case passed
    /// A threshold was not kept, and the machine is not to blame.
    case failed
    /// Nothing can be concluded: the machine stood still, or the run was cut short.
    case inconclusive
}
