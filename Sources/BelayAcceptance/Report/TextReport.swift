/// The results as one table: failures first, then inconclusive, then passed.
///
/// The last line is `N passed, N failed`, with `, N skipped` for inconclusive ones if there are.
public struct TextReport: Sendable {
    /// Whether verdicts are coloured.
    public enum Style: Hashable, Sendable {
        /// Letters only: for pipes, files, and people who said NO_COLOR.
        case plain
        /// With the colours of a terminal.
        case coloured
    }

    private let entries: [ReportEntry]
    private let style: Style
    private let columns: Int

    /// The most characters of a threshold or an observed value in the table; a failed one is
    /// repeated whole beneath it.
    static let cellLimit = 46

    /// A report of these results, in their order within each verdict.
    ///
    /// `columns` is how wide a line may be: where the table is wider, cells are cut shorter, and
    /// the columns that matter least are left out. What failed stands whole beneath its row.
    public init(_ entries: [ReportEntry], style: Style = .plain, columns: Int = .max) {
        let order: [Verdict] = [.failed, .inconclusive, .passed]
        self.entries = order.flatMap { verdict in entries.filter { $0.verdict == verdict } }
        self.style = style
        self.columns = columns
    }

    /// The same of a run's results.
    public init(_ results: [ScenarioResult], style: Style = .plain, columns: Int = .max) {
        self.init(results.map { ReportEntry($0) }, style: style, columns: columns)
    }

    /// The whole report, its last newline included.
    public var text: String {
        let rows = [Self.header] + entries.flatMap(rows)
        let layout = ReportLayout(rows.map(\.cells), columns: columns)
        let table = rows.flatMap { row in
            [line(row, layout)] + notes(row, layout).map { "    \($0)" }
        }
        return (table + ["", summary]).joined(separator: "\n") + "\n"
    }

    /// The line that counts, alone on its line.
    public var summary: String {
        let count = { verdict in entries.count { $0.verdict == verdict } }
        let skipped = count(Verdict.inconclusive)
        return "\(count(.passed)) passed, \(count(.failed)) failed"
            + (skipped > 0 ? ", \(skipped) skipped" : "")
    }

    // MARK: Rows

    private struct Row {
        var verdict: Verdict?
        var cells: [String]
        /// The finding of a row that did not pass: shown whole where its cells are not.
        var finding: Finding?
        var notes: [String] = []
    }

    private static let header = Row(
        cells: ["requirements", "scenario", "looked at", "threshold", "observed", "verdict"])

    /// One row for each unmet finding, or one for all that were met.
    private func rows(_ entry: ReportEntry) -> [Row] {
        let unmet = entry.findings.filter { !$0.isMet }
        let shown = unmet.isEmpty ? [entry.findings.first ?? Self.nothing] : unmet
        return shown.enumerated().map { place, finding in
            Row(
                verdict: entry.verdict,
                cells: [
                    entry.requirements.joined(separator: " "), entry.id,
                    finding.observable, finding.threshold, finding.observed,
                    entry.verdict.rawValue,
                ],
                finding: entry.verdict == .passed ? nil : finding,
                notes: place == shown.count - 1 ? Self.notes(of: entry) : [])
        }
    }

    /// What stands in a row where nothing was looked at.
    private static let nothing = Finding("", threshold: "", observed: "", isMet: true)

    /// What the table has no room for.
    private func notes(_ row: Row, _ layout: ReportLayout) -> [String] {
        guard let finding = row.finding, !layout.showsWhole(row.cells) else { return row.notes }
        let name = layout.shows(2) ? [] : ["looked at: \(finding.observable)"]
        return name + ["threshold: \(finding.threshold)", "observed:  \(finding.observed)"]
            + row.notes
    }

    private static func notes(of entry: ReportEntry) -> [String] {
        let stage = entry.stage.map { "stage:     \($0)" }
        let reason = entry.reason.map { "reason:    \($0)" }
        return [stage, reason].compactMap(\.self)
    }

    private func line(_ row: Row, _ layout: ReportLayout) -> String {
        let cells = layout.cells(of: row.cells)
        return cells.dropLast().map { $0 + "  " }.joined()
            + coloured(row.cells[row.cells.count - 1], row.verdict)
    }

    private func coloured(_ text: String, _ verdict: Verdict?) -> String {
        guard style == .coloured, let verdict else { return text }
        let colour =
            switch verdict {
            case .passed: 32
            case .failed: 31
            case .inconclusive: 33
            }
        return "\u{1B}[\(colour)m\(text)\u{1B}[0m"
    }
}
