/// The tables of CONFORMANCE.md: each row names the files that keep a rule and the tests that
/// show it. A row that names none, or one that is not there, is found.
///
/// Rows have the columns § · what · file · shown by, or what · shown by; others are passed over.
enum ConformanceTable {
    static let path = "CONFORMANCE.md"

    static func check(_ text: String, against files: [SourceFile]) -> [Finding] {
        let paths = Set(files.map(\.path))
        let proofs = NamedProofs(in: files)
        var findings: [Finding] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let cells = NamedProofs.cells(of: line)
            guard let last = cells.last, [2, 4].contains(cells.count), last != "shown by" else {
                continue
            }
            var faults = proofs.faults(in: last)
            if cells.count == 4 {
                for file in cells[2].split(separator: ", ") where !paths.contains("Sources/\(file)")
                {
                    faults.append("names Sources/\(file), which is not there")
                }
            }
            findings += faults.map { Finding(path: path, line: index + 1, message: $0) }
        }
        return findings
    }
}
