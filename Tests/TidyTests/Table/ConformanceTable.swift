/// The tables of CONFORMANCE.md: each row names the files that keep a rule and the tests that
/// show it. A row that names none, or one that is not there, is found.
///
/// Rows have the columns § · what · file · shown by, or what · shown by; others are passed over.
enum ConformanceTable {
    static let path = "CONFORMANCE.md"

    static func check(_ text: String, against files: [SourceFile]) -> [Finding] {
        let paths = Set(files.map(\.path))
        let tests = Dictionary(grouping: files.filter(\.isTest), by: \.stem)
            .mapValues { Set($0.flatMap(sentences)) }
        var findings: [Finding] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let cells = cells(of: line)
            guard let last = cells.last, [2, 4].contains(cells.count), isData(last) else {
                continue
            }
            func find(_ message: String) {
                findings.append(Finding(path: path, line: index + 1, message: message))
            }
            if cells.count == 4 {
                for file in cells[2].split(separator: ", ") where !paths.contains("Sources/\(file)")
                {
                    find("names Sources/\(file), which is not there")
                }
            }
            if last.isEmpty { find("names nothing that shows it") }
            for proof in parts(of: last, at: "; ") where !isCase(proof) {
                let names = parts(of: proof, at: " › ")
                guard names.count == 2 else {
                    find("names \(proof), which is neither a test nor a case")
                    continue
                }
                guard tests[names[0]]?.contains(names[1]) == true else {
                    find("names a test that is not there: \(proof)")
                    continue
                }
            }
        }
        return findings
    }

    /// Whether a last cell is neither the head of a table nor the line below it.
    private static func isData(_ cell: String) -> Bool {
        cell != "shown by" && !cell.hasPrefix("---")
    }

    /// The cells of a row, without the spaces around them; none for another line.
    private static func cells(of line: Substring) -> [String] {
        guard line.hasPrefix("|"), line.hasSuffix("|"), line.count > 1 else { return [] }
        return line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
            .map { $0.trimmed }
    }

    /// Whether it names cases of the Autobahn suite: `Autobahn 7.1.5`, `Autobahn 2.*`.
    private static func isCase(_ proof: String) -> Bool {
        guard proof.hasPrefix("Autobahn ") else { return false }
        let number = proof.dropFirst("Autobahn ".count)
        return !number.isEmpty && number.allSatisfy { "0123456789.*".contains($0) }
    }

    private static func sentences(in file: SourceFile) -> [String] {
        file.lines.compactMap { line in
            let parts = parts(of: String(line), at: "func `")
            guard parts.count == 2 else { return nil }
            return parts[1].split(separator: "`").first.map(String.init)
        }
    }

    private static func parts(of text: String, at separator: String) -> [String] {
        text.split(separator: separator).map(String.init)
    }
}

extension SourceFile {
    fileprivate var isTest: Bool { path.hasPrefix("Tests/") && isSwift }

    /// The name without its ending.
    fileprivate var stem: String { String(name.dropLast(".swift".count)) }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
