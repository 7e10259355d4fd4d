/// Every scenario, in report order.
public enum ScenarioCatalog {
    /// All of them. Ids are unique.
    public static let all: [Scenario] =
        heartbeat + identity + outcomes + violations + background
        + resume + streams + handlers + leaving + path

    /// The scenarios that `names` mean: ids and requirements, such as `pong-late` or `E13`.
    ///
    /// - Throws: `UnknownScenario` for the first name that means none.
    public static func named(_ names: [String]) throws(UnknownScenario) -> [Scenario] {
        for name in names where !all.contains(where: { $0.isMeant(by: name) }) {
            throw UnknownScenario(name: name)
        }
        return all.filter { scenario in names.contains { scenario.isMeant(by: $0) } }
    }

    /// Every word that `named` knows, ids first.
    public static var names: [String] {
        all.map(\.id) + Set(all.flatMap(\.requirements)).sorted()
    }
}

/// A name that is neither a scenario's id nor one of its requirements.
public struct UnknownScenario: Error, Hashable, Sendable {
    /// The name.
    public let name: String
}

extension Scenario {
    /// Whether `name` is the id or one of the requirements, in whatever case.
    fileprivate func isMeant(by name: String) -> Bool {
        let name = name.lowercased()
        return id == name || requirements.contains { $0.lowercased() == name }
    }
}
