import Foundation

extension ComparisonResult {
    /// A table that is read from left to right: the work, each subject's median, the ratios.
    var text: String {
        let peers = subjects.dropFirst()
        let head = ["", ""] + subjects + peers.map { "÷ \($0)" }
        let lines =
            [head]
            + rows.map { row in
                [row.name, row.unit] + row.medians.map(Self.figure) + row.ratios.map(Self.ratio)
            }
        let widths = head.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        let table = lines.map { line in
            let cells = zip(line, widths).enumerated().map { column, cell in
                let gap = String(repeating: " ", count: cell.1 - cell.0.count)
                return column < 2 ? cell.0 + gap : gap + cell.0  // Figures to the right.
            }
            return "  " + cells.joined(separator: "  ")
        }
        let notes = remarks.map { "  \($0)" }
        return (["\(title) (\(better.rawValue) is better)"] + table + notes)
            .joined(separator: "\n")
    }

    /// Three significant digits, as far as noise lets them mean something.
    private static func figure(_ value: Double?) -> String {
        guard let value else { return "-" }
        switch abs(value) {
        case ..<10: return String(format: "%.2f", value)
        case ..<100: return String(format: "%.1f", value)
        default: return String(format: "%.0f", value)
        }
    }

    private static func ratio(_ value: Double?) -> String {
        value.map { String(format: $0 < 10 ? "%.2f" : "%.1f", $0) } ?? "-"
    }
}
