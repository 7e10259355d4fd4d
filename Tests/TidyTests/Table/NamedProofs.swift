/// The tests of a tree, as the tables of the documents name them: `FrameTests › takes frames`.
struct NamedProofs {
    private let tests: [String: Set<String>]

    init(in files: [SourceFile]) {
        tests = Dictionary(grouping: files.filter(\.isTest), by: \.stem)
            .mapValues { Set($0.flatMap(Self.sentences)) }
    }

    /// What is wrong with the last cell of a row, which names tests and cases of the Autobahn suite
    /// (`Autobahn 7.1.5`, `Autobahn 2.*`), with `; ` between them.
    func faults(in cell: String) -> [String] {
        guard !cell.isEmpty else { return ["names nothing that shows it"] }
        return Self.parts(of: cell, at: "; ").compactMap(fault)
    }

    private func fault(in proof: String) -> String? {
        if Self.isCase(proof) { return nil }
        let names = Self.parts(of: proof, at: " › ")
        guard names.count == 2 else {
            return "names \(proof), which is neither a test nor a case"
        }
        return tests[names[0]]?.contains(names[1]) == true
            ? nil : "names a test that is not there: \(proof)"
    }

    /// The cells of a table's row, without the spaces around them; none for another line, and for
    /// the line below the head.
    static func cells(of line: Substring) -> [String] {
        guard line.hasPrefix("|"), line.hasSuffix("|"), line.count > 1 else { return [] }
        let cells = line.dropFirst().dropLast().split(
            separator: "|", omittingEmptySubsequences: false
        )
        .map { $0.trimmed }
        return cells.allSatisfy { $0.hasPrefix("---") } ? [] : cells
    }

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

    static func parts(of text: String, at separator: String) -> [String] {
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
