import BelayAcceptance
import Testing

@testable import BelayCommand

@Suite struct `The belay command` {
    private struct Wrong: Sendable, CustomTestStringConvertible {
        let line: String
        let error: String
        let hint: String
        var testDescription: String { "belay \(line)" }
    }

    @Test(arguments: [
        Wrong(line: "", error: "no subcommand", hint: "try belay verify"),
        Wrong(line: "verfy", error: "unknown subcommand verfy", hint: "did you mean verify?"),
        Wrong(
            line: "dance", error: "unknown subcommand dance",
            hint: "known are: verify, serve, watch, help"),
        Wrong(line: "--verson", error: "unknown option --verson", hint: "did you mean --version?"),
        Wrong(
            line: "verify --evidnce x", error: "unknown option --evidnce",
            hint: "did you mean --evidence?"),
        Wrong(
            line: "verify --only pong-lat", error: "unknown scenario pong-lat",
            hint: "did you mean pong-late? belay verify --list shows all"),
        Wrong(
            line: "verify --only nope", error: "unknown scenario nope",
            hint: "belay verify --list shows all"),
        Wrong(
            line: "verify --only W3", error: "no scenario proves W3",
            hint: "Docs/REQUIREMENTS.md has the numbers, and belay verify --list those that one "
                + "proves"),
        Wrong(
            line: "--version 2", error: "2 is not expected here", hint: "options begin with --"),
        Wrong(
            line: "help verify serve", error: "serve is not expected here",
            hint: "options begin with --"),
        Wrong(
            line: "serve --port +5", error: "--port +5 is no number from 0 to 65535",
            hint: "write digits only"),
        Wrong(
            line: "verify --seed many",
            error: "--seed many is no number from 0 to "
                + "18446744073709551615", hint: "write digits only"),
        Wrong(
            line: "verify --only ,", error: "--only , names nothing",
            hint: "see belay verify --list"),
        Wrong(
            line: "verify twice", error: "twice is not expected here",
            hint: "options begin with --"),
        Wrong(
            line: "serve --port 65536", error: "--port 65536 is no number from 0 to 65535",
            hint: "write digits only"),
        Wrong(line: "help serv", error: "unknown subcommand serv", hint: "did you mean serve?"),
    ])
    private func `answers a wrong line with cause, hint, usage and exit code 2`(
        _ wrong: Wrong
    ) async {
        let listening = Listening()
        #expect(await listening.run(wrong.line) == .usage)
        #expect(listening.output.isEmpty)
        #expect(listening.talk.hasPrefix("error: \(wrong.error)\nhint: \(wrong.hint)\n"))
        #expect(listening.talk.contains("usage: belay"))
    }

    @Test func `takes an empty word for none`() async {
        let listening = Listening()
        #expect(await BelayCommand.run([""], on: listening.terminal) == .usage)
        #expect(listening.talk.hasPrefix("error: no subcommand\n"))
    }

    @Test(arguments: ["help", "--help", "-h"])
    func `helps on stdout`(line: String) async {
        let listening = Listening()
        #expect(await listening.run(line) == .passed)
        #expect(listening.talk.isEmpty)
        for subcommand in Subcommands.all {
            #expect(listening.output.contains(subcommand.summary))
        }
    }

    @Test(arguments: ["help verify", "verify --help", "verify --only x -h"])
    func `helps with a subcommand, option by option`(line: String) async {
        let listening = Listening()
        #expect(await listening.run(line) == .passed)
        for option in VerifyCommand.options {
            #expect(listening.output.contains(option.form))
            #expect(listening.output.contains(option.summary))
        }
    }

    @Test func `prints its version`() async {
        let listening = Listening()
        #expect(await listening.run("--version") == .passed)
        #expect(listening.output == "belay \(BelayVersion.current)\n")
    }
}
