import Foundation

/// The corpus of reports about paths: a replay is of states and connections only. Where a report
/// was about what lies beneath, its file names the tests that show that, too (`also`).
enum ReplayProofs {
    static let folder = "Tests/BelayCoreTests/Path/Corpus"

    /// The rows that are about more than their replay holds: how a state is derived from several
    /// networks (1 to 4) or from tables and rules (13, 14, 41), when a system is asked (7), what
    /// of its notices counts (17 to 19), and by which interface a path leads (31).
    static let reduced: Set<Int> = [1, 2, 3, 4, 7, 13, 14, 17, 18, 19, 31, 41]

    private struct Header: Decodable {
        let row: Int
        let also: String?
    }

    /// `text` is the file's.
    static func check(
        _ text: String, at path: String, against files: [SourceFile]
    ) -> [Finding] {
        let line = text.split(separator: "\n").first ?? ""
        guard let header = try? JSONDecoder().decode(Header.self, from: Data(line.utf8)) else {
            return [Finding(path: path, line: 1, message: "says of no row that it is its replay")]
        }
        guard let also = header.also else {
            return reduced.contains(header.row)
                ? [Finding(path: path, line: 1, message: "names no test of what it leaves out")]
                : []
        }
        return NamedProofs(in: files).faults(in: also).map {
            Finding(path: path, line: 1, message: $0)
        }
    }
}
