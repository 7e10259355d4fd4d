import BelayTesting
import BelayTransport
import Synchronization

@testable import BelayCommand

/// A terminal that is read instead of looked at.
final class Listening: Sendable {
    private struct Heard {
        var output = ""
        var talk = ""
        var waiters: [(text: String, heard: Answer<Bool>)] = []
    }

    private let heard = Mutex(Heard())
    private let isTerminal: Bool

    init(isTerminal: Bool = false) {
        self.isTerminal = isTerminal
    }

    var output: String { heard.withLock { $0.output } }
    var talk: String { heard.withLock { $0.talk } }

    var terminal: Terminal {
        Terminal(
            output: Terminal.Stream(isTerminal: isTerminal, isColoured: false) { text in
                self.say(text)
            },
            talk: Terminal.Stream(isTerminal: isTerminal, isColoured: false) { text in
                self.heard.withLock { $0.talk += text }
            })
    }

    /// Runs a command line; words are parted by spaces.
    func run(_ line: String) async -> ExitCode {
        await BelayCommand.run(line.split(separator: " ").map(String.init), on: terminal)
    }

    private func say(_ text: String) {
        let told = heard.withLock { heard in
            heard.output += text
            let output = heard.output
            defer { heard.waiters.removeAll { output.contains($0.text) } }
            return heard.waiters.filter { output.contains($0.text) }
        }
        for waiter in told { waiter.heard.give(true) }
    }

    /// Returns when the output holds this text, or throws `WaitedInVain`.
    func wait(for text: String, file: String = #fileID, line: Int = #line) async throws {
        let answer = Answer<Bool>()
        heard.withLock { heard in
            if heard.output.contains(text) {
                answer.give(true)
            } else {
                heard.waiters.append((text, answer))
            }
        }
        try await answer.wait(file: file, line: line)
    }
}
