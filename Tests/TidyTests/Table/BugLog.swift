/// The tables of Docs/bug-log.md: each report from the field has one line, which names the tests
/// that show how Belay fares.
///
/// Rows have the columns row · reported · what went wrong · shown by.
enum BugLog {
    static let path = "Docs/bug-log.md"

    /// The rows that there must be. Numbers that are left out name reports that said the same.
    static let rows: [String] = [
        ("A", [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 15, 16]),
        ("B", [1, 2, 3, 5, 6, 7, 9, 10, 11, 12, 13, 15, 16, 17]),
        ("C", [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17]),
        ("D", [1, 2, 3, 4, 5, 7, 8, 9, 11, 12]),
        ("E", [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16]),
        ("F", [1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13]),
        ("G", [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20]),
        ("H", [21, 22, 23, 24, 25, 27]),
        ("J", [28, 29, 30, 32, 33, 34, 35, 37, 39, 40, 69]),
        ("K", [41, 42, 43, 45, 46, 48, 49, 50, 51, 53, 54, 56, 57, 59, 60, 61, 62, 63, 64]),
        ("L", [66, 67, 68]),
        ("M", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]),
    ].flatMap { (group: String, numbers: [Int]) in numbers.map { "\(group)\($0)" } }

    /// In place of tests, with the reason behind it.
    private static let untried = "not tried: "

    static func check(
        _ text: String, rows: [String] = rows, against files: [SourceFile]
    ) -> [Finding] {
        let proofs = NamedProofs(in: files)
        var missing = Set(rows)
        var findings: [Finding] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let cells = NamedProofs.cells(of: line)
            guard cells.count == 4, cells[3] != "shown by" else { continue }
            var faults = self.faults(in: cells[3], proofs)
            if missing.remove(cells[0]) == nil {
                faults.append("has \(cells[0]) twice, or it is no row of the log")
            }
            if cells[1].isEmpty { faults.append("names no source") }
            findings += faults.map { Finding(path: path, line: index + 1, message: $0) }
        }
        return findings
            + missing.sorted().map { Finding(path: path, line: 1, message: "has no row \($0)") }
    }

    private static func faults(in cell: String, _ proofs: NamedProofs) -> [String] {
        if cell.hasPrefix(untried) {
            return cell.count > untried.count ? [] : ["gives no reason"]
        }
        return proofs.faults(in: cell)
    }
}
