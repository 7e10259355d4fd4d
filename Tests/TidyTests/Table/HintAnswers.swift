/// What the rule of hints goes by.
enum HintAnswers {
    /// What is known of the path.
    static let hints: Set<Substring> = [
        "Banner", "NetworkHint", "NetworkPath", "PathContradiction", "PathHintReceiver",
        "PathReason", "PathRecord", "PathState", "PathTrait", "PathUpdate",
    ]

    /// Types whose value can mean no.
    static let permissions: [Substring] = ["Bool", "Result"]

    /// What the name of a type that means permission has in it.
    static let permissionParts = [
        "permission", "permit", "allow", "admission", "approval", "clearance", "decision", "denial",
        "forbid", "gate", "refus", "reject",
    ]

    /// What answers a truth value all the same, each with its reason. One that is not needed any
    /// more is found and must go.
    static let allowed: [String: String] = [
        "NetworkHint.constrained": "the article's name: what the user asked for, to be shown",
        "NetworkHint.expensive": "the article's name: what the path costs, to be shown",
        "PathContradiction.stands": "which of two findings a banner believes",
        "PathTrait.known": "what a system says of one property",
    ]
}
