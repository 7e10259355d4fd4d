/// `belay help [SUBCOMMAND]`.
struct HelpCommand: Subcommand {
    static let name = "help"
    static let summary = "shows this, or the help of a subcommand"
    static let operands = "[SUBCOMMAND]"

    private let subject: (any Subcommand.Type)?

    init(_ arguments: Arguments) throws(UsageError) {
        guard let name = arguments.operands.first else {
            subject = nil
            return
        }
        guard let subject = Subcommands.named(name) else {
            throw .unknown("subcommand", name, among: Subcommands.all.map { $0.name })
        }
        try arguments.refuseOperands(after: 1)
        self.subject = subject
    }

    func run(on terminal: Terminal) async -> ExitCode {
        terminal.output.write(subject.map(Self.help) ?? Self.overview)
        return .passed
    }

    /// All subcommands, a line each.
    static var overview: String {
        let rows = Subcommands.all.map { subcommand in
            (form(subcommand), subcommand.summary)
        }
        return lines(
            ["usage: belay SUBCOMMAND", ""] + aligned(rows)
                + [
                    "", "belay --version prints the version. Exit codes: 0 passed, 1 failed,",
                    "2 usage, 3 inconclusive, 70 internal, 130 interrupted.",
                ])
    }

    /// One subcommand with its options.
    static func help(_ subcommand: any Subcommand.Type) -> String {
        let rows = subcommand.options.map { ($0.form, $0.summary) }
        return lines(
            ["usage: belay \(form(subcommand))", "", "\(subcommand.name) \(subcommand.summary)."]
                + (rows.isEmpty ? [] : [""] + aligned(rows))
                + (subcommand.notes.isEmpty ? [] : [""] + subcommand.notes))
    }

    private static func form(_ subcommand: any Subcommand.Type) -> String {
        let options = subcommand.options.isEmpty ? "" : "[OPTIONS]"
        return [subcommand.name, options, subcommand.operands].filter { !$0.isEmpty }
            .joined(separator: " ")
    }

    private static func aligned(_ rows: [(String, String)]) -> [String] {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { left, right in
            "  " + left + String(repeating: " ", count: width - left.count + 2) + right
        }
    }

    private static func lines(_ lines: [String]) -> String {
        lines.joined(separator: "\n") + "\n"
    }
}
