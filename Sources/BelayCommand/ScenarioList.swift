import BelayAcceptance

/// The scenarios, a line each: id, requirements, promise.
struct ScenarioList: Sendable {
    private let scenarios: [Scenario]

    init(_ scenarios: [Scenario]) {
        self.scenarios = scenarios
    }

    /// The whole list, its last newline included.
    var text: String {
        let rows = scenarios.map { scenario in
            [scenario.id, scenario.requirements.joined(separator: " "), scenario.title]
        }
        let widths = [0, 1].map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count + 2)
            }
            return cells.joined() + row[2] + "\n"
        }.joined()
    }
}
