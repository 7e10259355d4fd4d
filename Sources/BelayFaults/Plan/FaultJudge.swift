package import BelayCore

/// Decides for one connection what happens at each moment. Pure: no clock, no socket.
///
/// The same plan, connection and row of moments give the same verdicts.
package struct FaultJudge: Hashable, Sendable {
    private let connection: Int
    private var rules: [FaultRule] = []
    private var generator: SeededGenerator
    /// The kinds of moments that some rule names: most connections are asked nothing.
    private(set) var kinds = Moment.Kinds()

    /// The judge of the connection with this number.
    package init(plan: FaultPlan, connection: Int) {
        self.connection = connection
        generator = SeededGenerator(seed: plan.seed, connection: connection)
        add(plan.rules)
    }

    /// Asks further rules after those that are there.
    package mutating func add(_ more: [FaultRule]) {
        for rule in more where rule.connection.contains(connection) {
            rules.append(rule)
            kinds.insert(rule.at.kind)
        }
    }

    /// Asks these rules from now on, and no others; chance goes on where it stood.
    package mutating func replaceRules(with plan: FaultPlan) {
        rules = []
        kinds = Moment.Kinds()
        add(plan.rules)
    }

    /// Whether some rule names a moment of this kind.
    package func concerns(_ kind: Moment.Kind) -> Bool { kinds.contains(kind) }

    /// The first moment of kind `elapsed` that is later than `milliseconds`; `nil` for none.
    package func elapsed(after milliseconds: Int) -> Int? {
        rules.compactMap { rule in
            guard rule.at.kind == .elapsed, case .only(let at) = rule.at.occurrence,
                at > milliseconds
            else { return nil }
            return at
        }.min()
    }

    /// What happens at this moment instead of saying `offer`; `nil` if nothing goes wrong.
    ///
    /// Rules are asked in order: an altered offer goes to the next rule, and what a rule lets
    /// proceed can be struck by the next.
    package mutating func verdict(
        at moment: Moment, offer: [UInt8], now: Milliseconds
    ) -> Verdict? {
        guard concerns(moment.kind) else { return nil }
        var verdict: Verdict?
        for rule in rules where rule.at.matches(moment) {
            let before = verdict ?? Verdict(offer: offer, steps: [.proceed])
            guard let place = before.steps.firstIndex(of: .proceed) else { return before }
            let occasion = Occasion(
                connection: connection, moment: moment, now: now, offer: before.offer)
            var after = before
            switch rule.fault.decision(for: occasion, using: &generator) {
            case .alter(let offer): after.offer = offer
            case .play(let steps): after.steps.replaceSubrange(place...place, with: steps)
            }
            verdict = after
        }
        return verdict
    }
}

/// What a fault is told.
package struct Occasion: Hashable, Sendable {
    /// The number of the connection.
    package let connection: Int
    /// The moment.
    package let moment: Moment
    /// Milliseconds since the connection was accepted.
    package let now: Milliseconds
    /// What the endpoint would say.
    package let offer: [UInt8]

    /// An occasion with every part given.
    package init(connection: Int, moment: Moment, now: Milliseconds, offer: [UInt8]) {
        (self.connection, self.moment, self.now, self.offer) = (connection, moment, now, offer)
    }
}

/// What one fault makes of its occasion.
package enum Decision: Hashable, Sendable {
    /// Something else is said in the usual way.
    case alter([UInt8])
    /// These steps are taken; `proceed` among them says what would have been said.
    case play([Step])
}

/// What happens at a moment.
package struct Verdict: Hashable, Sendable {
    /// What `proceed` says.
    package var offer: [UInt8]
    /// The steps, in their order.
    package var steps: [Step]
}

extension Verdict {
    /// The steps with what they say filled in: `note` is recorded when the offer leaves, and
    /// `end` follows it.
    func resolved(note: EndpointEntry.Event?, then end: [Step] = []) -> [Step] {
        steps.flatMap { step in
            switch step {
            case .proceed: [.send(offer, note: note)] + end
            case .proceedLater(let wait): [.sendLater(wait, offer, note: note)] + end
            default: [step]
            }
        }
    }
}
