/// Which columns of a report's table are shown, and how wide.
///
/// The columns are those of `TextReport`: requirements, scenario, looked at, threshold, observed,
/// verdict.
struct ReportLayout {
    /// Cells of these are cut where they are too long.
    private static let elastic = 2...4
    /// Left out in this order where cutting does not do: scenario, observed and verdict stay.
    private static let dispensable = [0, 3, 2]
    /// What a cut cell still says something with.
    private static let leastCell = 12
    private static let gap = 2

    private let shown: [Int]
    private let limit: Int
    private let widths: [Int]

    /// A layout of these rows for lines of `columns` characters.
    init(_ rows: [[String]], columns: Int) {
        let natural = (0..<6).map { column in rows.map { $0[column].count }.max() ?? 0 }
        var shown = Array(0..<6)
        var limit = TextReport.cellLimit
        func width(_ limit: Int) -> Int {
            shown.map { Self.elastic.contains($0) ? min(natural[$0], limit) : natural[$0] }
                .reduce((shown.count - 1) * Self.gap, +)
        }
        for column in Self.dispensable where width(Self.leastCell) > columns {
            shown.removeAll { $0 == column }
        }
        while limit > Self.leastCell, width(limit) > columns { limit -= 1 }
        self.shown = shown
        self.limit = limit
        widths = natural.enumerated().map { column, width in
            Self.elastic.contains(column) ? min(width, limit) : width
        }
    }

    /// Whether the column is in the table.
    func shows(_ column: Int) -> Bool { shown.contains(column) }

    /// Whether nothing of a row is left out or cut that its notes could say.
    func showsWhole(_ row: [String]) -> Bool {
        Self.elastic.allSatisfy { shows($0) && row[$0].count <= limit }
    }

    /// The cells that are shown, each as wide as its column.
    func cells(of row: [String]) -> [String] {
        shown.map { column in
            let cell = row[column].count > widths[column] ? cut(row[column]) : row[column]
            return cell + String(repeating: " ", count: widths[column] - cell.count)
        }
    }

    private func cut(_ cell: String) -> String {
        cell.prefix(limit - 1) + "…"
    }
}
