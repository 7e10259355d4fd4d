/// A plan that cannot be read: where, and what was expected there.
public struct FaultPlanError: Error, Hashable, Sendable {
    /// The place in the JSON: `rules[1].fault.latePong.milliseconds`; empty for the whole plan.
    public let path: String
    /// What would have been right: `an integer from 0 to 86400000`.
    public let expected: String

    /// An error with both parts given.
    public init(path: String, expected: String) {
        self.path = path
        self.expected = expected
    }
}

extension FaultPlanError: CustomStringConvertible {
    /// One line without a full stop, for a command to print.
    public var description: String {
        "\(path.isEmpty ? "the plan" : path): expected \(expected)"
    }
}
