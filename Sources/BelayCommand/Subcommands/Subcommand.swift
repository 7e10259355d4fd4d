/// One thing that `belay` does: a file each, and a line in `Subcommands.all`.
protocol Subcommand: Sendable {
    /// The word on the command line.
    static var name: String { get }
    /// What it does, in one line.
    static var summary: String { get }
    /// What it is given besides options, as usage shows it; empty for nothing.
    static var operands: String { get }
    /// Its options, in the order of help.
    static var options: [Option] { get }
    /// What help says beneath the options.
    static var notes: [String] { get }

    /// Reads its arguments.
    init(_ arguments: Arguments) throws(UsageError)

    /// Does it.
    func run(on terminal: Terminal) async -> ExitCode
}

extension Subcommand {
    static var operands: String { "" }
    static var options: [Option] { [] }
    static var notes: [String] { [] }
}

/// All that `belay` does.
enum Subcommands {
    static let all: [any Subcommand.Type] = [
        VerifyCommand.self, ServeCommand.self, WatchCommand.self, HelpCommand.self,
    ]

    static func named(_ name: String) -> (any Subcommand.Type)? {
        all.first { $0.name == name }
    }
}
