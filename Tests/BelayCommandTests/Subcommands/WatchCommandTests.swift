import Belay
import Testing

@testable import BelayCommand

@Suite(.timeLimit(.minutes(1))) struct `belay watch` {
    @Test(arguments: [
        ("watch", "--path"), ("watch --path --towards example.org", "in digits"),
        ("watch --path now", "now"),
    ])
    func `refuses what it cannot watch`(_ line: String, _ hint: String) async {
        let listening = Listening()
        #expect(await listening.run(line) == .usage)
        #expect(listening.output.isEmpty)
        #expect(listening.talk.contains(hint))
    }

    // P1
    @Test(arguments: ["watch --path", "watch --path --towards 127.0.0.1"])
    func `shows a path as unknown, then what the system says of it, until interrupted`(
        _ line: String
    ) async throws {
        let listening = Listening()
        let task = Task { await listening.run(line) }
        while !listening.output.contains("change 1") { await Task.yield() }
        task.cancel()
        #expect(await task.value == .passed)
        #expect(listening.talk.isEmpty)
        let lines = listening.output.split(separator: "\n")
        // The first may have come and gone before it was looked at.
        let first = try #require(lines.first { $0.contains("change 1") })
        #expect(!first.contains(" unknown, change"))
        if line.contains("127.0.0.1") { #expect(first.contains(" available,")) }
    }

    // P1, P11
    @Test(arguments: [
        (PathUpdate(.unknown), "      12 ms  unknown"),
        (
            PathUpdate(.available, expensive: true, change: 1),
            "      12 ms  available, change 1, expensive: yes, constrained: unknown"
        ),
        (
            PathUpdate(.unavailable, expensive: false, constrained: true, change: 2),
            "      12 ms  unavailable, change 2, expensive: no, constrained: yes"
        ),
    ])
    func `tells what is known from what nobody knows`(_ update: PathUpdate, _ line: String) {
        #expect(WatchCommand.line(update, after: .microseconds(12_900)) == line)
    }
}
