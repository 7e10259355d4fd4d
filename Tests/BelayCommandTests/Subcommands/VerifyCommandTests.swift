import BelayAcceptance
import Testing

@testable import BelayCommand

@Suite(.timeLimit(.minutes(5))) struct `belay verify` {
    @Test func `lists every scenario, and runs none`() async {
        let listening = Listening()
        #expect(await listening.run("verify --list") == .passed)
        let lines = listening.output.split(separator: "\n")
        #expect(lines.count == ScenarioCatalog.all.count)
        #expect(listening.talk.isEmpty)
    }

    @Test func `runs what it is told to, and says its seed`() async {
        let listening = Listening()
        #expect(await listening.run("verify --only told-to-stop,P5 --seed 9") == .passed)
        #expect(listening.talk == "2 scenarios, seed 9\n")
        #expect(listening.output.hasSuffix("\n\n2 passed, 0 failed\n"))
    }

    @Test func `takes names that are parted by commas and spaces`() async {
        let listening = Listening()
        let words = ["verify", "--list", "--only", " pong-late, P5 ,"]
        #expect(await BelayCommand.run(words, on: listening.terminal) == .passed)
        #expect(listening.output.split(separator: "\n").count == 2)
    }

    @Test func `shows progress to a person, and none in a pipe`() async {
        let listening = Listening(isTerminal: true)
        #expect(await listening.run("verify --only path-sequence") == .passed)
        #expect(listening.talk.contains("\r\u{1B}[K1 of 1: path-sequence"))
        #expect(listening.talk.hasSuffix("\r\u{1B}[K"))
    }

    @Test func `says which file cannot be written`() async {
        let listening = Listening()
        #expect(await listening.run("verify --only P5 --evidence /nowhere/e.jsonl") == .failed)
        #expect(
            listening.talk.contains(
                "error: cannot create /nowhere/e.jsonl: No such file or directory\nhint: "))
    }
}

@Suite struct `The exit code of a run` {
    @Test func `is the worst that was found`() {
        #expect(ExitCode([Verdict]()) == .passed)
        #expect(ExitCode([.passed]) == .passed)
        #expect(ExitCode([.passed, .inconclusive]) == .inconclusive)
        #expect(ExitCode([.inconclusive, .failed, .passed]) == .failed)
    }
}
