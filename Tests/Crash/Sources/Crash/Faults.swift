import BelayFaults

extension FaultPlan {
    /// New events that come whole on the first connection of a life, whatever goes wrong on it.
    static let leastProgress = 3

    /// Some cuts, duplicates and a late event on each connection of one life of the subject.
    ///
    /// A server that says events out of order and then loses the connection cannot know from the
    /// cursor which of them arrived. It replays from the last complete id then, as in each life
    /// while there is a gap; in all others the cursor alone decides. A cut leaves room for at least
    /// `leastProgress` new events besides three duplicates and a late one, and behind what comes
    /// again after a cursor that filled a gap: a replay that is cut before anything new comes would
    /// go on for ever.
    static func random(
        after tally: Tally, using generator: inout some RandomNumberGenerator
    ) -> (plan: FaultPlan, replays: Bool) {
        var rules: [FaultRule] = []
        let reorders = Int.random(in: 0..<4, using: &generator) == 0
        let replays = reorders || tally.hasGap
        if replays {
            rules.append(FaultRule(at: .request, .eventStream(.replayAfter(id: tally.complete))))
        }
        for _ in 0..<3 {
            let place = Int.random(in: 1...20, using: &generator)
            rules.append(
                FaultRule(at: .beforeEvent(.only(place)), .eventStream(.duplicateEvent)))
        }
        if reorders {
            let place = Int.random(in: 1...20, using: &generator)
            rules.append(
                FaultRule(
                    at: .beforeEvent(.only(place)),
                    .eventStream(.lateEvent(milliseconds: Int.random(in: 1...5, using: &generator)))
                ))
        }
        let place = Occurrence.only(
            tally.greatest - min(tally.complete, tally.cursor)
                + Int.random(in: (leastProgress + 6)...40, using: &generator))
        let cuts: [FaultRule] = [
            FaultRule(at: .afterID(place), .tcp(.reset)),
            FaultRule(at: .insideData(place), .tcp(.fin)),
            FaultRule(at: .beforeBlankLine(place), .tcp(.reset)),
            FaultRule(at: .afterEvent(place), .tcp(.fin)),
            FaultRule(at: .afterEvent(place), .tcp(.reset)),
        ]
        rules.append(cuts[Int.random(in: 0..<cuts.count, using: &generator)])
        return (FaultPlan(seed: generator.next(), rules: rules), replays)
    }
}
