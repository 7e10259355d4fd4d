import BelayAcceptance

/// `belay report`: the table of an evidence file, or of a checklist that was filled in.
struct ReportCommand: Subcommand {
    static let name = "report"
    static let summary = "prints the table of evidence files and filled checklists"
    static let operands = "FILE…"
    static let notes = [
        "A file that ends in .md is a checklist of belay checklist; any other is evidence",
        "as belay verify --evidence writes it.",
    ]

    private let files: [String]

    init(_ arguments: Arguments) throws(UsageError) {
        guard !arguments.operands.isEmpty else {
            throw UsageError("no file is named", hint: "write belay report evidence.jsonl")
        }
        files = arguments.operands
    }

    func run(on terminal: Terminal) async -> ExitCode {
        var entries: [ReportEntry] = []
        for file in files {
            do throws(ReportFileError) {
                entries += try ReportFile.entries(of: file)
            } catch {
                let place = error.line.map { "\(error.path):\($0)" } ?? error.path
                terminal.error(
                    "\(place): \(error.reason)",
                    hint: "give evidence of belay verify, or a checklist of belay checklist")
                return .failed
            }
        }
        let style: TextReport.Style = terminal.output.isColoured ? .coloured : .plain
        terminal.output.write(
            TextReport(entries, style: style, columns: terminal.output.columns ?? .max).text)
        return ExitCode(entries.map(\.verdict))
    }
}
