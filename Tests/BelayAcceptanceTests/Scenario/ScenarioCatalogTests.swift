import BelayFaults
import Foundation
import Testing

@testable import BelayAcceptance

@Suite struct `The catalog of scenarios` {
    @Test func `names each scenario once`() {
        let ids = ScenarioCatalog.all.map(\.id)
        #expect(Set(ids).count == ids.count)
    }

    @Test(arguments: ScenarioCatalog.all.map(\.id))
    func `has slugs, sentences, requirements, expectations and plans that can be written`(
        id: String
    ) throws {
        let scenario = try #require(try ScenarioCatalog.named([id]).first)
        #expect(scenario.id.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil)
        #expect(scenario.title.first?.isUppercase == true)
        #expect(scenario.title.last != ".")
        #expect(!scenario.requirements.isEmpty)
        #expect(scenario.requirements.allSatisfy { $0.wholeMatch(of: /[WEP][0-9]+/) != nil })
        #expect(!scenario.expectations.isEmpty)
        let plan = try JSONEncoder().encode(scenario.plan)
        #expect(try JSONDecoder().decode(FaultPlan.self, from: plan) == scenario.plan)
    }

    @Test func `finds scenarios by id and by requirement, in whatever case`() throws {
        #expect(try ScenarioCatalog.named(["pong-late"]).map(\.id) == ["pong-late"])
        let rounds = try ScenarioCatalog.named(["e13", "two-rounds"]).map(\.id)
        #expect(rounds == ["two-rounds"])
    }

    @Test func `names the word that means nothing`() {
        #expect(throws: UnknownScenario(name: "pong-lat")) {
            try ScenarioCatalog.named(["pong-late", "pong-lat"])
        }
    }

    @Test func `gives each scenario a seed of its own, and the same one every time`() {
        let seeds = ScenarioCatalog.all.map { $0.seed(from: 7) }
        #expect(Set(seeds).count == seeds.count)
        #expect(seeds == ScenarioCatalog.all.map { $0.seed(from: 7) })
        #expect(seeds != ScenarioCatalog.all.map { $0.seed(from: 8) })
    }
}
