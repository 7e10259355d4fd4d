import BelayTCP

/// What goes wrong on one connection: the rules that name it, and what they have begun.
///
/// Most connections have none, so it stands beside the connection and not in it.
final class ConnectionScript {
    var judge: FaultJudge
    /// What the query asked for; a new plan leaves it.
    private var ownRules: [FaultRule] = []
    /// From the first verdict on.
    var player: ScriptPlayer?
    /// Of the next moment `elapsed`.
    var elapsedTimer: LoopTimer?
    /// Where the events begin, if a fault said so.
    var startAfter: Int?

    init(_ judge: FaultJudge) {
        self.judge = judge
    }

    /// Asks these rules as well.
    func add(_ rules: [FaultRule]) {
        ownRules += rules
        judge.add(rules)
    }

    /// These rules hold from now on, with those of the query; what has struck stays.
    func replaceRules(with plan: FaultPlan) {
        judge.replaceRules(with: plan)
        judge.add(ownRules)
    }
}
