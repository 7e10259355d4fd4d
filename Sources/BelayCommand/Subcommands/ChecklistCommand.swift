import BelayAcceptance

/// `belay checklist`: what only a device can show, as Markdown to be filled in.
struct ChecklistCommand: Subcommand {
    static let name = "checklist"
    static let summary = "prints what only a device can show, with places for its evidence"
    static let notes = ["Fill it in, and give it to belay report."]

    init(_ arguments: Arguments) throws(UsageError) {
        try arguments.refuseOperands()
    }

    func run(on terminal: Terminal) async -> ExitCode {
        terminal.output.write(ChecklistMarkdown.text)
        return .passed
    }
}
