import BelayAcceptance
import Foundation

/// `belay`: reads the command line, and hands it to a subcommand.
@main
struct BelayCommand {
    static func main() async {
        let process = ProcessInfo.processInfo
        let code = await run(
            Array(process.arguments.dropFirst()),
            on: .standard(environment: process.environment))
        exit(code.rawValue)
    }

    /// Runs one command line.
    static func run(_ words: [String], on terminal: Terminal) async -> ExitCode {
        do throws(UsageError) {
            return try await subcommand(words).run(on: terminal)
        } catch {
            terminal.error(error.cause, hint: error.hint)
            let named = words.first.flatMap(Subcommands.named)
            terminal.talk.write("\n" + (named.map(HelpCommand.help) ?? HelpCommand.overview))
            return .usage
        }
    }

    /// The subcommand that the words ask for.
    static func subcommand(_ words: [String]) throws(UsageError) -> any Subcommand {
        guard let name = words.first, !name.isEmpty else {
            throw UsageError("no subcommand", hint: "try belay verify")
        }
        let rest = Array(words.dropFirst())
        switch name {
        case "--version", "-V": return try VersionCommand(Arguments(rest, options: []))
        case "--help", "-h": return try HelpCommand(Arguments(rest, options: []))
        default: break
        }
        guard let subcommand = Subcommands.named(name) else {
            let kind = name.hasPrefix("-") ? "option" : "subcommand"
            let known =
                kind == "option"
                ? ["--help", "--version"] : Subcommands.all.map { $0.name }
            throw .unknown(kind, name, among: known)
        }
        if rest.contains("--help") || rest.contains("-h") {
            return try HelpCommand(Arguments([name], options: []))
        }
        return try subcommand.init(Arguments(rest, options: subcommand.options))
    }
}

/// `belay --version`.
struct VersionCommand: Subcommand {
    static let name = "--version"
    static let summary = "prints the version"

    init(_ arguments: Arguments) throws(UsageError) {
        try arguments.refuseOperands()
    }

    func run(on terminal: Terminal) async -> ExitCode {
        terminal.output.line("belay \(BelayVersion.current)")
        return .passed
    }
}
