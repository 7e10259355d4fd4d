public import BelayCore
public import BelayFaults

/// One promise and how it is tried: data, which the runner interprets.
public struct Scenario: Hashable, Sendable {
    /// The name on the command line and in evidence: a slug.
    public let id: String
    /// The promise, as a sentence.
    public let title: String
    /// The numbers of `Docs/REQUIREMENTS.md` that it proves.
    public let requirements: [String]
    /// How the endpoint misbehaves.
    public let plan: FaultPlan
    /// Who connects, and where to.
    public let client: ScenarioClient
    /// What the app does, in order.
    public let steps: [ClientStep]
    /// What the evidence must show.
    public let expectations: [ScenarioExpectation]
    /// For how long all steps may take, in milliseconds. Default 5,000: most take some hundreds.
    public let limit: Milliseconds

    /// A scenario with every part given.
    public init(
        _ id: String, _ title: String, proves requirements: [String],
        plan: [FaultRule] = [],
        client: ScenarioClient,
        steps: [ClientStep],
        expect expectations: [ScenarioExpectation],
        limit: Milliseconds = 5_000
    ) {
        self.id = id
        self.title = title
        self.requirements = requirements
        self.plan = FaultPlan(rules: plan)
        self.client = client
        self.steps = steps
        self.expectations = expectations
        self.limit = limit
    }

    /// The plan with the chance of a run; the same seed gives the same bytes.
    func plan(seed: UInt64) -> FaultPlan {
        FaultPlan(seed: self.seed(from: seed), rules: plan.rules)
    }

    /// A seed of its own for each scenario, so that leaving one out changes no other.
    func seed(from seed: UInt64) -> UInt64 {
        // FNV-1a; `hashValue` differs between processes.
        id.utf8.reduce(seed ^ 0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
