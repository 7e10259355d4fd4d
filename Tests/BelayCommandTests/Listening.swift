import Synchronization

@testable import BelayCommand

/// A terminal that is read instead of looked at.
final class Listening: Sendable {
    private let heard = Mutex((output: "", talk: ""))
    private let isTerminal: Bool

    init(isTerminal: Bool = false) {
        self.isTerminal = isTerminal
    }

    var output: String { heard.withLock { $0.output } }
    var talk: String { heard.withLock { $0.talk } }

    var terminal: Terminal {
        Terminal(
            output: Terminal.Stream(isTerminal: isTerminal, isColoured: false) { text in
                self.heard.withLock { $0.output += text }
            },
            talk: Terminal.Stream(isTerminal: isTerminal, isColoured: false) { text in
                self.heard.withLock { $0.talk += text }
            })
    }

    /// Runs a command line; words are parted by spaces.
    func run(_ line: String) async -> ExitCode {
        await BelayCommand.run(line.split(separator: " ").map(String.init), on: terminal)
    }
}
